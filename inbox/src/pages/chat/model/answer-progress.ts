/**
 * The life of one answer of the model: asked for, thought and said in pieces, whole. Pieces have no name: they belong to the
 * step that the model was last asked for.
 */
import type { WireTurnEvent } from '../../../../../src/client/index.ts'
import type { AnswerBody } from './transcript-items.ts'
import { changeItem, type WorkingLane } from './working-lane.ts'

export interface WholeAnswer {
  step: number
  text: string
  reasoning?: string
}

/** The turn is told again: the pieces of what is under way come once more, or not at all. */
export function restartAnswer(lane: WorkingLane, isWithoutPieces: boolean): void {
  if (lane.answer === 'known') lane.answer = undefined
  if (lane.answer === undefined) return
  changeItem(lane.answer, 'answer', ({ step, ...body }) =>
    isUnderWay({ step, ...body }) ? emptyAnswer(step, isWithoutPieces) : { step, ...body },
  )
}

export function beginAnswer(lane: WorkingLane, step: number): void {
  const item = lane.put(`answer ${step}`, () => emptyAnswer(step))
  const body = item.body.get()
  const isWhole = body.kind === 'answer' && body.state === 'done'
  lane.answer = isWhole ? 'known' : item
  if (!isWhole) item.body.set(emptyAnswer(step))
}

export function addPiece(lane: WorkingLane, kind: 'thinking' | 'text', delta: string): void {
  if (lane.answer === 'known') return
  const step = lane.lastStep() + 1
  lane.answer ??= lane.put(`answer ${step}`, () => emptyAnswer(step, true))
  changeItem(lane.answer, 'answer', ({ retry: _, ...body }) =>
    kind === 'text'
      ? { ...body, text: body.text + delta, state: 'speaking' }
      : { ...body, thinking: body.thinking + delta, state: 'thinking' },
  )
}

/** What the model had said by then is dropped. */
export function retryAnswer(
  lane: WorkingLane,
  { attempt, of, delayMs, because }: Extract<WireTurnEvent, { kind: 'model_retried' }>,
): void {
  if (lane.answer === 'known' || lane.answer === undefined) return
  changeItem(lane.answer, 'answer', ({ step }) => ({
    ...emptyAnswer(step),
    retry: { attempt, of, delayMs, because },
  }))
}

/** True where it was not whole before. */
export function putWholeAnswer(lane: WorkingLane, { step, text, reasoning = '' }: WholeAnswer): boolean {
  const item = lane.put(`answer ${step}`, () => emptyAnswer(step))
  const before = item.body.get()
  lane.answer = undefined
  changeItem(item, 'answer', ({ retry: _, ...body }) => {
    return { ...body, text, thinking: reasoning, state: 'done', hasGap: false }
  })
  return before.kind === 'answer' && before.state !== 'done'
}

export function isUnderWay({ state }: AnswerBody): boolean {
  return state !== 'done' && state !== 'cut'
}

function emptyAnswer(step: number, hasGap = false): AnswerBody {
  return { kind: 'answer', step, thinking: '', text: '', state: 'asked', hasGap }
}
