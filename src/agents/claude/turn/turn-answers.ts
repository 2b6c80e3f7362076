/**
 * What the model says in a turn, put together from its parts and written down as one entry an answer. A call of it is looked at only
 * after that. TurnAnswers of sub-agents come in whole parts, each an entry.
 */
import type { TurnEntry } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { EngineTurn } from '../../sessions/engine.ts'
import { readToolArguments } from '../../sessions/read-tool-arguments.ts'
import { type AnswerPart, type ClaudeMessage, cutWords, laterUsage } from '../claude-messages.ts'

export interface TurnAnswers {
  take(message: ClaudeMessage): Promise<void>
  /** Writes down what is still open. */
  keepAll(): Promise<void>
  /** The call, once the answer that makes it is in the log. Rejects where that doesn't come. */
  callOf(toolUseId: string): Promise<ClaudeCall>
  /** Nobody waits for answers any longer. */
  fail(error: unknown): void
}

/** A call of the model's, as it is in the log. */
export interface ClaudeCall {
  id: string
  tool: string
  step: number
  /** What the model said with it. */
  said: string
}

export interface TurnAnswersStart {
  turn: Pick<EngineTurn, 'id' | 'append' | 'emit'>
  clock: Clock
  /** The last step of the turn that is in the log. */
  step: number
  heard: () => number
  /** The folder that its commands are in, where that isn't the session's. */
  cwd: () => string | undefined
}

/** As it is in the log. */
export type KeptAnswer = Extract<TurnEntry, { kind: 'answered' }>

type UnkeptAnswer = Omit<AnswerPart, 'kind'>

/** The hook and the message come over two ways; one is seldom far behind the other. */
const CALL_WITHIN_MS = 30_000

export function createTurnAnswers({
  turn,
  clock,
  step: lastStep,
  heard,
  cwd,
}: TurnAnswersStart): TurnAnswers {
  let step = lastStep
  let open: UnkeptAnswer | undefined
  /** The answer that is being told in pieces: more of it is to come. */
  let streaming: string | undefined
  const calls = new Map<string, ClaudeCall>()
  const waiters = new Set<() => void>()
  let queue: Promise<void> = Promise.resolve()
  let failure: { error: unknown } | undefined

  function changed(): void {
    for (const wake of [...waiters]) wake()
  }

  /** One after the other: steps are numbered in the order of the log. */
  function keep(answer: UnkeptAnswer): Promise<void> {
    const done = queue.then(() => write(answer))
    queue = done.catch(() => {})
    return done
  }

  async function keepOpen(): Promise<void> {
    const answer = open
    open = undefined
    if (answer !== undefined) await keep(answer)
    else await queue
  }

  async function write({ model, text, reasoning, calls: made, usage }: UnkeptAnswer): Promise<void> {
    step++
    const folder = cwd()
    const provider: JsonValue | undefined = folder === undefined ? undefined : { cwd: folder }
    const logged = made.map(({ toolUseId, tool, input }, index) => ({
      id: `${turn.id}.${step}.${index}`,
      modelId: toolUseId,
      tool,
      // Cut, it can't be read, and what can't be read doesn't run; the guard takes none of that length either.
      argumentsText: cutWords(JSON.stringify(input) ?? ''),
      ...defined({ provider }),
    }))
    const about = { step, text, ...(reasoning === '' ? {} : { reasoning }), usage }
    await turn.append({ kind: 'answered', ...about, model, calls: logged, heard: heard() })
    turn.emit({ kind: 'model_answered', ...about, calls: logged.length })
    for (const [index, { id, modelId, tool, argumentsText }] of logged.entries()) {
      const read = readToolArguments(argumentsText)
      const args = read.ok ? read.arguments : {}
      turn.emit({ kind: 'call_proposed', call: id, tool, arguments: args, step, index, of: logged.length })
      calls.set(modelId, { id, tool, step, said: text })
    }
    changed()
  }

  async function takePart({ kind: _, ...part }: AnswerPart): Promise<void> {
    if (part.parent !== undefined) return keep(part)
    if (open !== undefined && open.answer !== part.answer) await keepOpen()
    open =
      open === undefined
        ? part
        : {
            ...open,
            text: cutWords(open.text + part.text),
            reasoning: cutWords(open.reasoning + part.reasoning),
            calls: [...open.calls, ...part.calls],
            usage: laterUsage(open.usage, part.usage),
          }
    changed()
  }

  /** Whether nothing more of the answer with this call is to come. */
  function isWhole(toolUseId: string): boolean {
    const isOpen = open?.calls.some((call) => call.toolUseId === toolUseId) === true
    return isOpen && open?.answer !== streaming
  }

  return {
    async take(message) {
      switch (message.kind) {
        case 'answer_begins':
          await keepOpen()
          streaming = message.answer
          break
        case 'text':
        case 'thinking':
          turn.emit(message)
          break
        case 'usage':
          if (open !== undefined) open.usage = laterUsage(open.usage, message.usage)
          break
        case 'answer_ends':
          streaming = undefined
          await keepOpen()
          break
        case 'part':
          await takePart(message)
          break
        default:
          break
      }
    },
    keepAll: keepOpen,
    async callOf(toolUseId) {
      let isLate = false
      const timer = clock.after(CALL_WITHIN_MS, () => {
        isLate = true
        changed()
      })
      try {
        for (;;) {
          if (failure !== undefined) throw failure.error
          const found = calls.get(toolUseId)
          if (found !== undefined) return found
          if (isWhole(toolUseId) || isLate) await keepOpen()
          if (calls.has(toolUseId)) continue
          if (isLate) throw new Error('the model made this call in no answer that was told')
          await new Promise<void>((resolve) => {
            const wake = () => {
              waiters.delete(wake)
              resolve()
            }
            waiters.add(wake)
          })
        }
      } finally {
        timer.cancel()
      }
    },
    fail(error) {
      failure ??= { error }
      changed()
    },
  }
}
