/**
 * Which arguments the policy and people see. A tool's schema may fill in, coerce or transform. What is shown must be what runs, and
 * must be JSON. So where parsing twice gives the same as parsing once, the parsed value is gated, with its defaults. Where it
 * doesn't (a text becomes a Date), what the model wrote is gated. Either way the approved arguments go through the schema again
 * right before the tool runs, which checks a person's edit too.
 */
import { canonicalize } from '../core/json/json.ts'

export type ParsedInput = { ok: true; value: unknown } | { ok: false; error: unknown }
export type Parse = (value: unknown) => ParsedInput | PromiseLike<ParsedInput>

export async function gateArguments(
  parse: Parse,
  given: unknown,
): Promise<{ ok: true; value: object } | { ok: false; error: unknown }> {
  const parsed = await parse(given)
  if (!parsed.ok) return parsed
  const text = objectText(parsed.value)
  if (text !== undefined) {
    // Parsing changed nothing, so it would change nothing again.
    if (text === objectText(given)) return { ok: true, value: parsed.value as object }
    const again = await parse(parsed.value)
    if (again.ok && objectText(again.value) === text) return { ok: true, value: parsed.value as object }
  }
  // If this is no object either, the guard refuses the call.
  return { ok: true, value: given as object }
}

/** For the tool: the approved arguments as its schema gives them. Throws where they don't fit. */
export async function parseApproved(parse: Parse, approved: object): Promise<unknown> {
  const parsed = await parse(approved)
  if (parsed.ok) return parsed.value
  throw parsed.error
}

/** Undefined for everything that isn't an object of plain JSON. */
function objectText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  try {
    return canonicalize(value)
  } catch {
    return undefined
  }
}
