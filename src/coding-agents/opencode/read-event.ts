/**
 * What our plugin for opencode sends. The form is our own:
 * `{ version?: 1, phase: "before" | "after" | "over", sessionID, callID, tool, args, directory, ok?, error? }`.
 * `over` has a session only, and `after` needs no folder. The plugin comes from the server's own version or an older one; one of a later version is refused.
 */
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { type HookEvent, isAbsoluteFolder, sessionOf, type UnreadableEvent } from '../hook-event.ts'
import { briefly, kindOf, objectOf, textOf } from '../tool-hook-event.ts'
import { toCatalogue } from './tool-names.ts'

export const OPENCODE = 'opencode'

const VERSION = 1
const PHASES = ['before', 'after', 'over'] as const

export function readOpencodeEvent(event: JsonValue): HookEvent | UnreadableEvent {
  const members = objectOf(event)
  if (members === undefined) return refuse(`a hook event must be an object; found ${kindOf(event)}`)
  const { version = VERSION, sessionID, callID, tool, args, directory } = members
  if (version !== VERSION)
    return refuse(
      `it is of version ${JSON.stringify(version)}, and this server knows ${VERSION}: use a plugin that was made for this server`,
    )
  const phase = PHASES.find((one) => one === members.phase)
  if (phase === undefined) return refuse(`phase must be one of ${PHASES.join(', ')}`)
  const id = textOf(sessionID)
  if (id === undefined)
    return refuse(`sessionID must be a text that is not empty; found ${kindOf(sessionID)}`)
  const place = { agent: OPENCODE, session: sessionOf(OPENCODE, id) }
  if (phase === 'over') return { phase, ...place }

  const callId = textOf(callID)
  if (callId === undefined) return refuse(`callID must be a text that is not empty; found ${kindOf(callID)}`)
  const name = textOf(tool)
  if (name === undefined) return refuse(`tool must be a text that is not empty; found ${kindOf(tool)}`)
  const given = objectOf(args)
  if (given === undefined && (phase === 'before' || args !== undefined))
    return refuse(`args must be an object; found ${kindOf(args)}`)
  const call = toCatalogue(name, given ?? {})
  if (call === undefined) return refuse('an argument has the name that another one has in our catalogue')
  if (phase === 'after') {
    const told = given === undefined ? {} : { arguments: call.arguments }
    return { phase, ...place, callId, tool: call.tool, outcome: outcomeOf(members), ...told }
  }
  if (!isAbsoluteFolder(directory)) return refuse('directory must be the absolute path of a folder')
  // The plugin throws, which ends a call and nothing else.
  const can = { terminate: false }
  return {
    phase,
    ...place,
    callId,
    ...call,
    given: given!,
    lineage: { name: OPENCODE },
    can,
    cwd: directory,
  }
}

function outcomeOf({ ok, error }: JsonObject): { ok: boolean; summary?: string } {
  return ok === false ? { ok: false, summary: briefly(error) ?? 'it failed' } : { ok: true }
}

/** The plugin knows one form of a no. */
function refuse(because: string): UnreadableEvent {
  return { phase: 'before', because: `Banksman can't read this event: ${because}` }
}
