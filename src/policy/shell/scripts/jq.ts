import type { ScriptReason } from './script-reason.ts'

/**
 * Whether a jq program only shapes what it is given. jq can neither write nor run anything; it can show the
 * environment and load modules from other files.
 */

/** As a field (`.env`) these are only names; wherever else they stand they may be the thing itself. */
const REFUSED =
  /(?<![A-Za-z0-9_]|(?<!\.)\.)(env|ENV|import|include|modulemeta|get_search_list)(?![A-Za-z0-9_])/

/** Undefined where it only shapes its input, else what is in the way, as a clause. */
export function whyJqMayReveal(program: string): ScriptReason | undefined {
  const refused = REFUSED.exec(program)
  return refused === null ? undefined : { code: 'script.environment', values: { part: refused[1] ?? '' } }
}
