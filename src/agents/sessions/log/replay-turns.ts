/**
 * Tells turns again from the log, for a listener whose place is no longer in the event buffer: after a restart, or after a long time.
 * Deltas are gone by then; what was said and done is told as a whole.
 */

import type { AgentLineage } from '../../../core/call.ts'
import type { TurnEntry, TurnEvent, TurnEventBody } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { readToolArguments } from '../read-tool-arguments.ts'
import type { KeptEntry } from './turn-log.ts'

export interface TurnReplay {
  session: string
  agent: AgentLineage
  /** From this turn on. */
  from: string
  entries: readonly TurnEntry[]
  /** The calls whose arguments somebody wants to know. Absent: all. */
  calls?: ReadonlySet<string>
}

/** The ids lead nowhere: whoever goes on from one of them is told again. */
export function* replayTurns({
  session,
  agent,
  from,
  entries,
  calls,
}: TurnReplay): Generator<TurnEvent, void> {
  const start = entries.findIndex((entry) => entry.kind !== 'erased' && entry.turn === from)
  if (start === -1) return
  let count = 0
  for (const entry of entries.slice(start)) {
    if (entry.kind === 'erased') continue
    // It has been told from its beginning.
    if (entry.kind === 'resumed') continue
    for (const body of eventBodiesOf(entry, entries, calls)) {
      const { turn, at } = entry
      yield { id: `${turn}-r${count++}`, turn, session, agent, at, ...body }
    }
  }
}

/** What an entry tells. `entries` is the log that it is in. */
export function eventBodiesOf(
  entry: KeptEntry,
  entries: readonly TurnEntry[],
  wanted?: TurnReplay['calls'],
): TurnEventBody[] {
  switch (entry.kind) {
    case 'begun':
      return [{ kind: 'turn_begun', text: entry.text, by: entry.by }]
    case 'steered':
      return [{ kind: 'steered', text: entry.text, by: entry.by }]
    case 'answered': {
      const { step, text, reasoning, calls, usage } = entry
      const said: TurnEventBody = {
        kind: 'model_answered',
        step,
        text,
        ...defined({ reasoning }),
        calls: calls.length,
        usage,
      }
      return [
        said,
        ...calls.map((call, index): TurnEventBody => {
          const isWanted = wanted === undefined || wanted.has(call.id)
          const read = isWanted ? readToolArguments(call.argumentsText) : undefined
          const args = read?.ok === true ? read.arguments : {}
          return {
            kind: 'call_proposed',
            call: call.id,
            tool: call.tool,
            arguments: args,
            step,
            index,
            of: calls.length,
          }
        }),
      ]
    }
    case 'result':
      return [resultBody(entry)]
    case 'interrupted': {
      const { how, by, reason } = entry
      return [{ kind: 'interrupted', how, by, ...defined({ reason }) }]
    }
    case 'resumed': {
      const begun = entries.find((each) => each.kind === 'begun' && each.turn === entry.turn)
      if (begun?.kind !== 'begun') return []
      return [{ kind: 'turn_begun', text: begun.text, by: begun.by, resumed: true }]
    }
    case 'opened':
    case 'barred':
    case 'note':
      return []
    case 'ended': {
      const { status, text, reason, endedBy, usage, steps } = entry
      return [
        {
          kind: 'turn_ended',
          status,
          text,
          ...defined({ reason, endedBy }),
          usage,
          steps,
          durationMs: 0,
        },
      ]
    }
  }
}

function resultBody(entry: Extract<TurnEntry, { kind: 'result' }>): TurnEventBody {
  const { call, tool, outcome, text, refusal, media } = entry
  if (refusal !== undefined) return { kind: 'call_refused', call, tool, ...refusal }
  return {
    kind: 'call_finished',
    call,
    tool,
    ok: outcome !== 'failed',
    text,
    durationMs: 0,
    ...defined({ media }),
  }
}
