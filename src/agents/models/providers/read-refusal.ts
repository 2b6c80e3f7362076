/** Finds a refusal in what a model is told of a call, as `refusalText` of the loop writes it. */

import { z } from 'zod'
import { parseJson } from '../../../core/json/parse-json.ts'

const refusal = z.object({ ran: z.literal(false), because: z.string() })

/** The reason; undefined when the text is none, but a tool's own words or a person's. */
export function readRefusal(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { success, data } = refusal.safeParse(parseJson(text))
    return success ? data.because : undefined
  } catch {
    return undefined
  }
}
