/** Hooks of coding agents: each has a form of its own for events and answers, so there is nothing here but JSON. */
import { z } from 'zod'
import { jsonObject } from './values.ts'

const HOLD = /^(?:0|(\d{1,9})(ms|s))$/

export const hookHold = z
  .string()
  .regex(HOLD, 'must be a time like 50s or 500ms, or 0')
  .describe(
    "How long to wait for a person, as in 50s or 500ms. At most, and by default, ten seconds less than the agent's hook may take.",
  )
  .transform((text) => {
    const [, amount = '0', unit] = HOLD.exec(text) ?? []
    return Number(amount) * (unit === 's' ? 1000 : 1)
  })

export const hookAnswer = jsonObject.describe(
  "What the agent is to do, in the agent's own form. `{}` is no opinion for Claude Code and Codex: their own rules go on.",
)
