/**
 * Our policy beside others, on the same rules and calls in one process. First all must give the same verdict on every call,
 * or there are no figures.
 */
import {
  type Contestant,
  type Figure,
  figure,
  interleave,
  perProcessorSecond,
  processorMs,
  ratio,
} from '../measure.ts'
import { type Judging, judgings } from './contestants.ts'
import { installPeers } from './install.ts'
import type { PeerBench } from './peer-bench.ts'
import { callsFor, rulesOf, type WorkCall } from './workload.ts'

const SIZES = [10, 100, 1000]
/** By what factor ours must be faster than createToolPolicyHook, and should be. */
const TARGETS: Record<number, string> = { 10: '1.5, aim 3', 100: '5, aim 10', 1000: '40, aim 80' }
/** Long enough for the clock, short enough that a round of all of them sees the same neighbours. */
const ROUND_MS = 60
/** Until machine code has been made of all that is measured. */
const WARM_UP_MS = 400

export const policyBench: PeerBench = {
  install: () => installPeers(),
  async *run(rounds) {
    for (const size of SIZES) {
      yield { name: `${size.toLocaleString('en')} rules`, figures: await compare(size, rounds) }
    }
  },
}

async function compare(size: number, rounds: number): Promise<Figure[]> {
  const rules = rulesOf(size)
  const calls = callsFor(rules)
  const contestants = await judgings(rules)
  for (const contestant of contestants) await checkVerdicts(contestant, calls)
  const prepared: Contestant[] = []
  for (const contestant of contestants) prepared.push(await timed(contestant, calls))
  const figures = await interleave(prepared, rounds)
  const [ours, ...peers] = figures
  if (ours === undefined) throw new Error('nobody was measured')
  const ratios = peers.map((peer, index) =>
    ratio(index === 0 ? `ours / ${peer.name} (target ${TARGETS[size]})` : `ours / ${peer.name}`, ours, peer),
  )
  return [...figures.map((each) => figure(withoutOf(each, contestants), each.unit, each.rounds)), ...ratios]
}

async function checkVerdicts(contestant: Judging, calls: readonly WorkCall[]): Promise<void> {
  for (const call of calls) {
    const verdict = await contestant.verdictOf(call)
    const expected = call.expected ?? 'ask'
    if (verdict !== expected) {
      console.error(
        `${contestant.name} says ${verdict} of ${call.tool}, which should be ${expected}: nothing was measured`,
      )
      process.exit(1)
    }
  }
}

async function timed(contestant: Judging, calls: readonly WorkCall[]): Promise<Contestant> {
  const { name } = contestant
  const judge = (times: number) => () => contestant.judge(calls, times)
  let times = 1
  for (let spent = 0; spent < WARM_UP_MS; ) {
    const took = await processorMs(judge(times))
    spent += took
    if (took < ROUND_MS) times *= 2
  }
  return { name, unit: '/s', run: () => perProcessorSecond(times * calls.length, judge(times)) }
}

function withoutOf({ name }: Figure, contestants: readonly Judging[]): string {
  const without = contestants.find((one) => one.name === name)?.without
  return without === undefined ? name : `${name} (without ${without})`
}
