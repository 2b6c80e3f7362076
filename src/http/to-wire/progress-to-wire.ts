import type { JsonObject } from '../../core/json/json.ts'
import type { SessionProgress } from '../../core/progress.ts'
import type { WireProgress } from '../../wire/types/progress.ts'
import { shownCall, type TurnReader, visibleAgent, visibleReason } from './conversation-to-wire.ts'
import { toTime } from './time-to-wire.ts'

/** As people are shown calls everywhere: masked (P9). */
export function progressToWire({ turn, ...about }: SessionProgress, reader: TurnReader): WireProgress {
  const whole = { ...about, agent: visibleAgent(about.agent) }
  if (turn === undefined) return whole
  const { ended, ...rest } = turn
  const shown = <Call extends { tool: string; arguments: JsonObject; since: number }>(call: Call) => ({
    ...call,
    ...shownCall(call.tool, call.arguments, reader),
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
