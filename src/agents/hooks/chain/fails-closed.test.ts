/** What holds for any hooks with any answers, in any order: the laws that the other tests are examples of. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize, type JsonObject } from '../../../core/json/json.ts'
import type { Hook, HookCall, HookMount } from '../hook.ts'
import type { ApprovalStep, ResultStep, ToolStep } from '../hook-chain.ts'
import { aboutTurn, createTestChain } from './fixtures/test-chain.ts'

/** How a hook behaves when it is asked about a tool, its result, or its approval. */
type Behaviour =
  | { kind: 'continues' }
  | { kind: 'spoils its copy' }
  | { kind: 'changes'; tool: string; arguments: JsonObject }
  | { kind: 'responds' }
  | { kind: 'denies' }
  | { kind: 'stops' }
  | { kind: 'fails'; how: 'throws' | 'hangs' | 'rejects' }
  | { kind: 'garbage'; value: unknown }

interface Plan {
  behaviour: Behaviour
  kind: HookMount['kind']
  trusted: boolean
  onFailure: 'deny' | 'continue'
  priority: number
}

const names = fc.constantFrom('send_mail', 'exec', 'read_file')
const values = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<JsonObject>
const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.constantFrom<Behaviour>(
    { kind: 'continues' },
    { kind: 'spoils its copy' },
    { kind: 'responds' },
    { kind: 'denies' },
    { kind: 'stops' },
    { kind: 'fails', how: 'throws' },
    { kind: 'fails', how: 'hangs' },
    { kind: 'fails', how: 'rejects' },
  ),
  fc.record({ kind: fc.constant('changes' as const), tool: names, arguments: values }),
  fc.record({
    kind: fc.constant('garbage' as const),
    value: fc.oneof(
      fc.jsonValue(),
      fc.record({ action: fc.oneof(fc.string(), fc.jsonValue()), reason: fc.jsonValue() }),
      fc.record({
        action: fc.constantFrom('modify', 'respond'),
        call: fc.jsonValue(),
        result: fc.jsonValue(),
      }),
      fc.record({ approved: fc.jsonValue() }, { requiredKeys: [] }),
    ),
  }),
)
const plan: fc.Arbitrary<Plan> = fc.record({
  behaviour,
  kind: fc.constantFrom('in_process', 'process'),
  trusted: fc.boolean(),
  onFailure: fc.constantFrom('deny', 'continue'),
  priority: fc.integer({ min: -2, max: 2 }),
})
/** Hooks that at times do nothing, so that chains also come to their end. */
const plans = fc.array(
  fc.oneof(
    { arbitrary: plan, weight: 1 },
    { arbitrary: plan.map((one) => ({ ...one, behaviour: { kind: 'continues' } as const })), weight: 1 },
  ),
  { maxLength: 5 },
)
const calls: fc.Arbitrary<HookCall> = fc.record({ callId: fc.constant('c1'), tool: names, arguments: values })

function mountOf(one: Plan, index: number): HookMount {
  const { behaviour, ...rest } = one
  return { ...rest, name: `h${index}`, hook: hookOf(behaviour) }
}

function hookOf(behaviour: Behaviour): Hook {
  return {
    beforeTool: (call) => answer(behaviour, call, 'call', { action: 'continue' }) as undefined,
    afterTool: (result) => answer(behaviour, result, 'result', { action: 'continue' }) as undefined,
    approveTool: (call) => answer(behaviour, call, 'call', { approved: true }) as undefined,
  }
}

function answer(behaviour: Behaviour, shown: object, payload: 'call' | 'result', yes: object): unknown {
  switch (behaviour.kind) {
    case 'continues':
      return yes
    case 'spoils its copy':
      for (const key of Object.keys(shown)) Object.assign(shown, { [key]: 'spoilt' })
      return yes
    case 'changes': {
      const { tool, arguments: args } = behaviour
      return {
        action: 'modify',
        [payload]: payload === 'call' ? { tool, arguments: args } : { text: 'changed' },
      }
    }
    case 'responds':
      return { action: 'respond', result: { text: 'given' } }
    case 'denies':
      return { action: 'deny_tool', approved: false, reason: 'no' }
    case 'stops':
      return { action: 'hard_abort', approved: false }
    case 'garbage':
      return behaviour.value
    case 'fails':
      if (behaviour.how === 'throws') throw new Error('broken')
      return behaviour.how === 'hangs' ? new Promise(() => {}) : Promise.reject(new Error('broken'))
  }
}

/** Moves the clock until the chain has come to its answer. */
async function run<Step>(
  mounts: HookMount[],
  ask: (chain: ReturnType<typeof createTestChain>['chain']) => Promise<Step>,
) {
  const { chain, clock } = createTestChain(mounts)
  let step: Step | undefined
  const asked = ask(chain).then((value) => {
    step = value
  })
  for (let rounds = 0; step === undefined && rounds <= mounts.length; rounds++) await clock.advance(60_000)
  await asked
  return step as Step
}
const gate = (list: readonly Plan[], call: HookCall) =>
  run<ToolStep>(list.map(mountOf), (chain) => chain.beforeTool(call, aboutTurn()))
const screen = (list: readonly Plan[], call: HookCall) =>
  run<ResultStep>(list.map(mountOf), (chain) =>
    chain.afterTool({ ...call, text: 'plain', isError: false, durationMs: 1 }, aboutTurn()),
  )
const approve = (list: readonly Plan[], call: HookCall) =>
  run<ApprovalStep>(list.map(mountOf), (chain) => chain.approveTool(call, aboutTurn()))

const isPlainDenial = ({ behaviour: { kind } }: Plan) => kind === 'denies' || kind === 'stops'
const failsFast = ({ behaviour: { kind }, onFailure }: Plan) => kind === 'fails' && onFailure === 'deny'

describe('the laws of the chain', () => {
  it('P3: a call goes on as it came unless a trusted hook changed it', async () => {
    await fc.assert(
      fc.asyncProperty(plans, calls, async (list, call) => {
        const shown = JSON.stringify(call)
        const step = await gate(list, call)
        expect(JSON.stringify(call)).toBe(shown)
        if (step.kind !== 'go') return
        const changers = step.changedBy.map((name) => list[Number(name.slice(1))]!)
        expect(changers.every(({ trusted }) => trusted)).toBe(true)
        if (changers.length > 0) return
        expect(step.tool).toBe(call.tool)
        expect(canonicalize(step.arguments)).toBe(canonicalize(call.arguments))
      }),
      { numRuns: 150 },
    )
  })

  it('P5: nothing goes on past a hook that denies, ends the turn or fails', async () => {
    await fc.assert(
      fc.asyncProperty(plans, plan, fc.nat(), calls, async (list, one, at, call) => {
        fc.pre(isPlainDenial(one) || failsFast(one))
        const all = list.toSpliced(at % (list.length + 1), 0, one)
        expect((await gate(all, call)).kind).not.toBe('go')
        expect((await approve(all, call)).kind).toBe('deny')
        // A tool that has run can't be denied any more, and such a word is then a failure.
        const stays = one.behaviour.kind === 'denies' && one.onFailure === 'continue'
        if (!stays) expect((await screen(all, call)).kind).not.toBe('go')
      }),
      { numRuns: 150 },
    )
  })

  it('P5: garbage from a hook never lets through what goes no further without it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, calls, fc.jsonValue(), async (one, call, value) => {
        const garbled = { ...one, behaviour: { kind: 'garbage', value } as const, onFailure: 'deny' as const }
        expect(await gate([garbled], call)).toMatchObject({ kind: 'deny' })
        expect(await screen([garbled], call)).toMatchObject({ kind: 'withhold' })
        expect(await approve([garbled], call)).toMatchObject({ kind: 'deny' })
      }),
      { numRuns: 300 },
    )
  })

  it('P5: a failure that is passed over is as if the hook were not there, and never more', async () => {
    await fc.assert(
      fc.asyncProperty(plans, plan, fc.nat(), calls, async (list, one, at, call) => {
        fc.pre(one.behaviour.kind === 'fails')
        const passed: Plan = { ...one, onFailure: 'continue' }
        // At the end, so that the names of the others stay.
        const all = [...list, passed]
        expect(await gate(all, call)).toEqual(await gate(list, call))
        expect(await screen(all, call)).toEqual(await screen(list, call))
        expect(
          (
            await approve(
              all.toSorted(() => (at % 2) - 0.5),
              call,
            )
          ).kind,
        ).toBe('deny')
      }),
      { numRuns: 100 },
    )
  })

  it('P5: one more hook that is not trusted makes it the same or stricter', async () => {
    await fc.assert(
      fc.asyncProperty(plans, plan, calls, async (list, one, call) => {
        const all = [...list, { ...one, trusted: false }]
        const [without, with_] = [await gate(list, call), await gate(all, call)]
        if (with_.kind !== 'deny' && with_.kind !== 'stop') expect(with_).toEqual(without)
        if (without.kind === 'deny' || without.kind === 'stop') expect(['deny', 'stop']).toContain(with_.kind)
        const [result, narrower] = [await screen(list, call), await screen(all, call)]
        if (narrower.kind === 'go') expect(narrower).toEqual(result)
        if ((await approve(all, call)).kind === 'go')
          expect(await approve(list, call)).toEqual({ kind: 'go' })
      }),
      { numRuns: 150 },
    )
  })

  it('P5: an approval takes the word of every approver', async () => {
    await fc.assert(
      fc.asyncProperty(plans, calls, async (list, call) => {
        const willing = list.every(({ behaviour }) => {
          if (behaviour.kind === 'continues' || behaviour.kind === 'spoils its copy') return true
          const value = behaviour.kind === 'garbage' ? behaviour.value : undefined
          return (
            typeof value === 'object' && value !== null && (value as { approved?: unknown }).approved === true
          )
        })
        expect((await approve(list, call)).kind).toBe(willing ? 'go' : 'deny')
      }),
      { numRuns: 200 },
    )
  })

  it('the order in which hooks are mounted changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(plans, calls, fc.infiniteStream(fc.nat()), async (list, call, random) => {
        const mounts = list.map(mountOf)
        const shuffled = mounts
          .map((mount) => ({ mount, at: random.next().value as number }))
          .sort((one, other) => one.at - other.at)
        const ask = (some: HookMount[]) => run<ToolStep>(some, (chain) => chain.beforeTool(call, aboutTurn()))
        expect(await ask(shuffled.map(({ mount }) => mount))).toEqual(await ask(mounts))
      }),
      { numRuns: 60 },
    )
  })
})
