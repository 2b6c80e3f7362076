/** What the engine itself says to the model, in front of or in place of what people say. */
import type { TurnEntry } from '../../../core/conversation.ts'

/** Of what was said before, when the transcript is gone. */
const MAX_RECALLED = 8000
const MAX_EACH = 1000

export const LOST_TRANSCRIPT =
  'The transcript of this session is not on this machine, so the agent begins anew: it knows what was said here, but not what it has read and done.'

/** For a model that begins anew in a conversation that is not new. */
export function recallText(entries: readonly TurnEntry[], turn: string): string {
  const said = entries.flatMap((entry) => {
    if (entry.kind === 'begun' || entry.kind === 'steered')
      return entry.turn === turn ? [] : [`${entry.by}: ${cut(entry.text)}`]
    return entry.kind === 'answered' && entry.text !== '' ? [`You: ${cut(entry.text)}`] : []
  })
  const kept: string[] = []
  let left = MAX_RECALLED
  for (const each of said.toReversed()) {
    left -= each.length
    if (left < 0) break
    kept.unshift(each)
  }
  const what = kept.length === 0 ? '' : ` What was said, the newest last:\n\n${kept.join('\n')}\n`
  return `(From Banksman, not from a person: this conversation went on before, and your transcript of it was lost. Files that you changed are as you left them; look at them before you go on.${what})`
}

/** What became of a call that was open when the process ended. */
export type LeftCall = {
  tool: string
  /** As the model wrote them. */
  argumentsText: string
} & (
  | { fate: 'waiting' }
  | { fate: 'approved' }
  | { fate: 'refused'; because: string }
  | { fate: 'answered'; by: string; text: string }
  | { fate: 'unknown'; because: string }
)

export function resumedText(calls: readonly LeftCall[]): string {
  const lines = calls.map((call) => `- ${call.tool} ${cut(call.argumentsText)}: ${fateText(call)}`)
  const what =
    lines.length === 0
      ? 'None of your calls was open.'
      : `These calls of yours were open:\n${lines.join('\n')}`
  return `(From Banksman, not from a person: the server was restarted while you were at work. ${what}\nGo on with the task.)`
}

function fateText(call: LeftCall): string {
  switch (call.fate) {
    case 'waiting':
      return 'it has not run, and a person is still asked about it. If you still want it, make exactly the same call again: it takes the place of this one.'
    case 'approved':
      return 'it has not run, and it may run. If you still want it, make exactly the same call again.'
    case 'refused':
      return `it did not run: ${call.because}`
    case 'answered':
      return `it did not run; ${call.by} answered in its place: ${call.text}`
    case 'unknown':
      return `it may have run, and its result is lost (${call.because}). Look at the state of things before you do anything like it again.`
  }
}

function cut(text: string): string {
  return text.length <= MAX_EACH ? text : `${text.slice(0, MAX_EACH).toWellFormed()}…`
}
