import type { JsonObject } from '../../core/json/json.ts'
import type { SessionProgress } from '../../core/progress.ts'
import type { CodingProgress } from '../../core/secretary.ts'
import type { WireProgress } from '../../wire/types/progress.ts'
import { shownCall, type TurnReader, visibleAgent, visibleReason } from './conversation-to-wire.ts'
import { renderLine } from './shown-words.ts'
import { toTime } from './time-to-wire.ts'

/** As people are shown calls everywhere: masked (P9). */
export function progressToWire({ turn, ...about }: SessionProgress, reader: TurnReader): WireProgress {
  const whole = { ...about, agent: visibleAgent(about.agent) }
  if (turn === undefined) return whole
  const { ended, ...rest } = turn
  const shown = <Call extends { tool: string; arguments: JsonObject; since: number }>(call: Call) => ({
    ...call,
    ...shownCall(call.tool, call.arguments, reader, 'title'),
    since: toTime(call.since),
  })
  return {
    ...whole,
    turn: {
      ...rest,
      begunAt: toTime(turn.begunAt),
      since: toTime(turn.since),
      recent: turn.recent.map(shown),
      waiting: turn.waiting.map(shown),
      ...(ended === undefined ? {} : { ended: { ...ended, ...visibleReason(ended), at: toTime(ended.at) } }),
    },
  }
}

/** With what the secretary knows of the session. */
export function codingProgressToWire(
  { folder, mode, elapsedMs, used, limits, ...progress }: CodingProgress,
  reader: TurnReader,
): WireProgress {
  return { ...progressToWire(progress, reader), folder: renderLine(folder), mode, elapsedMs, used, limits }
}
