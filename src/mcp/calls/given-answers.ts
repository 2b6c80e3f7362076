/**
 * What the client answers to a question of the MCP server: a form that a person filled in, what a model wrote, the folders it may use. It may hold a
 * secret, or be the confirmation of something big, so it is a call to the policy like any other: allowed and recorded unless a rule speaks of it. An
 * answer that is refused reaches the server as an error.
 */

import { digestOf } from '../../core/digest.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import type { ClientMessage } from '../lines/client-message.ts'
import type { ByteSpan } from '../lines/json-members.ts'

/** Questions of a server, by their methods. */
export const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const
export type QuestionMethod = (typeof QUESTIONS)[number]

/** Longer ones are recorded by their size and digest. */
const MAX_BYTES = 64 * 1024

export function isQuestion(method: string): method is QuestionMethod {
  return (QUESTIONS as readonly string[]).includes(method)
}

/** What the policy and people see of the answer. `span`: where it stands in the message; absent for an error. */
export function answerArguments({ text }: ClientMessage, span: ByteSpan | undefined): JsonObject {
  if (span === undefined) return { error: true }
  const source = Buffer.from(text.slice(span.from, span.to), 'latin1').toString('utf8')
  if (source.length <= MAX_BYTES) {
    try {
      return { answer: parseStrictJson(source) }
    } catch (error) {
      if (!isBanksmanError(error)) throw error
    }
  }
  return { size: source.length, digest: digestOf(source) }
}
