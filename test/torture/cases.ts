/**
 * The cases: what is done, in words and as steps; what is right; and what counts as wrong. One list for all contestants. Mails go to
 * `ana` in call c1, to `bob` in c2, to `cleo` in c3; `eve` is nobody's wish.
 */
import type { ScriptedCall, Turn } from './contestant.ts'
import type { Orders, Step } from './steps.ts'

export interface Measured {
  /** How many mails went to whom. */
  sent: Record<string, number>
  /** What the model was given, at each of its calls. */
  seen: Record<string, string>[]
}

export type Wrong = 'ran twice' | 'ran unapproved' | 'lost'

/** Runs processes of one contestant one after another, or two at once. */
export interface Stage {
  run(steps: Step[], more?: Pick<Orders, 'inTool'>): Promise<void>
  /** Two processes at the same time, each inside of the tool while the other one may get there. */
  runTwo(steps: Step[]): Promise<void>
  measure(): Measured
}

export interface TortureCase {
  name: string
  /** What is done, and what a person expects. docs/torture.md says the same. */
  words: string
  turns: Turn[]
  expiresIn?: string
  play(stage: Stage): Promise<Wrong[]>
}

const C1: ScriptedCall = { id: 'c1', to: 'ana' }
const C2: ScriptedCall = { id: 'c2', to: 'bob' }
const C3: ScriptedCall = { id: 'c3', to: 'cleo' }
const ONE: Turn[] = [[C1], 'done']

const START: Step = { do: 'start' }
const GO_ON: Step = { do: 'goOn' }
const APPROVE: Step = { do: 'answer', answers: { c1: 'approve' } }
const REJECT: Step = { do: 'answer', answers: { c1: 'reject' } }

export const CASES: TortureCase[] = [
  {
    name: 'double answer',
    words:
      "The agent asks about one mail, and after that about another. The approval of the first arrives twice, as when a webhook is delivered again. The first mail is sent once, and the second isn't sent until it is approved.",
    turns: [[C1], [C2], 'done'],
    async play(stage) {
      await stage.run([START, APPROVE, GO_ON, APPROVE, GO_ON])
      const early = stage.measure().sent.bob !== undefined
      await stage.run([{ do: 'answer', answers: { c2: 'approve' } }, GO_ON])
      return [...unapproved(early), ...once(stage, [C1, C2])]
    },
  },
  {
    name: 'two processes resuming',
    words:
      'Two processes go on with the same approved run at the same time. The mail is sent once, and the model of one of them gets the result.',
    turns: ONE,
    async play(stage) {
      await stage.run([START, APPROVE])
      await stage.runTwo([GO_ON])
      const { sent, seen } = stage.measure()
      const isTold = seen.some((results) => results.c1 !== undefined)
      return [...(sent.ana! > 1 ? ['ran twice' as const] : []), ...lost(sent.ana === undefined || !isTold)]
    },
  },
  {
    name: 'arguments changed after approval',
    words:
      "After the person has approved a mail to ana, the arguments in the framework's saved state are changed to eve. Nothing is sent to eve.",
    turns: ONE,
    async play(stage) {
      await stage.run([START, APPROVE, { do: 'tamper', callId: 'c1', to: 'eve' }, GO_ON])
      return unapproved(stage.measure().sent.eve !== undefined)
    },
  },
  {
    name: 'forged approval',
    words:
      "The framework's saved state is made to say that a mail to eve was asked about and approved. Nobody was asked. Nothing is sent to eve.",
    turns: ONE,
    async play(stage) {
      await stage.run([START, { do: 'forge', call: { id: 'c9', to: 'eve' } }, GO_ON])
      return unapproved(stage.measure().sent.eve !== undefined)
    },
  },
  {
    name: 'restart while waiting',
    words:
      'The process is killed while it waits for the answer. Another one gets the answer and goes on. The mail is sent once, and the model gets the result.',
    turns: ONE,
    async play(stage) {
      await stage.run([START, { do: 'die' }])
      await stage.run([APPROVE, GO_ON])
      return once(stage, [C1])
    },
  },
  {
    name: 'kill inside the tool',
    words:
      "The process is killed right after the mail was sent, before the tool has returned. Another one goes on. The mail isn't sent again, and the model is told something about the call.",
    turns: ONE,
    async play(stage) {
      await stage.run([START, APPROVE])
      await stage.run([GO_ON], { inTool: 'die' })
      await stage.run([GO_ON])
      return once(stage, [C1])
    },
  },
  {
    name: 'one rejection among siblings',
    words:
      'The model makes three calls at once. The person rejects the second one and approves the others. Two mails are sent, once each, and the model gets three results.',
    turns: [[C1, C2, C3], 'done'],
    async play(stage) {
      const answer: Step = { do: 'answer', answers: { c1: 'approve', c2: 'reject', c3: 'approve' } }
      // Some ask about one after another.
      await stage.run([START, answer, GO_ON, answer, GO_ON, answer, GO_ON])
      const { sent, seen } = stage.measure()
      return [...unapproved(sent.bob !== undefined), ...once(stage, [C1, C3], seen.at(-1)?.c2 !== undefined)]
    },
  },
  {
    name: 'a rejected tool must not run',
    words:
      'The person rejects the call. The run goes on, and once more after that. Nothing is sent, and the model is told.',
    turns: ONE,
    async play(stage) {
      await stage.run([START, REJECT, GO_ON, GO_ON])
      const { sent, seen } = stage.measure()
      return [...unapproved(sent.ana !== undefined), ...lost(seen.at(-1)?.c1 === undefined)]
    },
  },
  {
    name: 'late answer',
    words:
      'The person rejects the call, and the run goes on. Later an approval of the same call arrives from another screen. Nothing is sent.',
    turns: ONE,
    async play(stage) {
      await stage.run([START, REJECT, GO_ON, APPROVE, GO_ON])
      return unapproved(stage.measure().sent.ana !== undefined)
    },
  },
  {
    name: 'answer after the time limit',
    words: 'People have one second to answer. The approval comes after that. Nothing is sent.',
    turns: ONE,
    expiresIn: '1s',
    async play(stage) {
      await stage.run([START, { do: 'expire', callId: 'c1' }, APPROVE, GO_ON])
      return unapproved(stage.measure().sent.ana !== undefined)
    },
  },
  {
    name: 'wrong person',
    words: 'Ana may answer. The approval comes from Mallory. Nothing is sent.',
    turns: ONE,
    async play(stage) {
      await stage.run([START, { do: 'answer', answers: { c1: 'approve' }, by: 'mallory' }, GO_ON])
      return unapproved(stage.measure().sent.ana !== undefined)
    },
  },
]

function unapproved(isSo: boolean): Wrong[] {
  return isSo ? ['ran unapproved'] : []
}

function lost(isSo: boolean): Wrong[] {
  return isSo ? ['lost'] : []
}

/** Each of these ran, not twice, and in its last call the model was given something for it. */
function once(stage: Stage, calls: ScriptedCall[], andAlso = true): Wrong[] {
  const { sent, seen } = stage.measure()
  const isMissing = calls.some(({ id, to }) => sent[to] === undefined || seen.at(-1)?.[id] === undefined)
  return [
    ...(calls.some(({ to }) => (sent[to] ?? 0) > 1) ? ['ran twice' as const] : []),
    ...lost(isMissing || !andAlso),
  ]
}
