/** Stories of a person, a server and others who answer too, made up at random: what must hold in all of them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { WireRequest, WireSuggestion } from '../../client/index.ts'
import { INBOX, makeRequest } from '../fixtures/requests.ts'
import { advanceWatch } from './advance-watch.ts'
import { initialState, type WatchInput, type WatchKey } from './watch-state.ts'
import { watchWords } from './watch-words.ts'

const words = watchWords('en')

const key: fc.Arbitrary<WatchKey> = fc.oneof(
  fc
    .constantFrom('y', 'y', 'n', 'e', 's', 'w', 'a', 'A', 'A', 'r', 't', '1', '1 8h', '?', 'yes', 'yes')
    .map((text) => ({ kind: 'text' as const, text })),
  fc
    .constantFrom('enter', 'enter', 'escape', 'backspace', 'erase_line')
    .map((kind) => ({ kind }) as WatchKey),
)
/** Somebody who knows that grave calls need the word. */
const DETERMINED: readonly WatchKey[] = [
  { kind: 'text', text: 'y' },
  { kind: 'text', text: 'yes' },
  { kind: 'enter' },
]
/** Somebody who waits for what is fetched, and reads it. */
const PATIENT: Readonly<Record<string, readonly WatchKey[]>> = {
  A: [
    { kind: 'text', text: 'A' },
    { kind: 'text', text: 'y' },
  ],
  a: [
    { kind: 'text', text: 'a' },
    { kind: 'text', text: '1' },
    { kind: 'enter' },
    { kind: 'text', text: 'yes' },
    { kind: 'enter' },
  ],
}
const which = fc.nat({ max: 1 })
const happening = fc.oneof(
  { weight: 8, arbitrary: key.map((key) => ({ kind: 'key' as const, key })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'determined' as const }) },
  { weight: 2, arbitrary: fc.constantFrom('A', 'a').map((key) => ({ kind: 'patient' as const, key })) },
  // The server answers the oldest thing that it was asked.
  { weight: 6, arbitrary: fc.constant({ kind: 'answer' as const }) },
  { weight: 1, arbitrary: which.map((which) => ({ kind: 'edit_by_others' as const, which })) },
  { weight: 1, arbitrary: which.map((which) => ({ kind: 'decide_by_others' as const, which })) },
  { weight: 1, arbitrary: which.map((which) => ({ kind: 'opened' as const, which })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconnect' as const }) },
)
const story = fc.array(fc.tuple(happening, fc.integer({ min: 0, max: 900 })), {
  minLength: 10,
  maxLength: 80,
})

const suggestion: WireSuggestion = {
  id: 'call',
  width: 'call',
  words: 'exactly this call',
  matched: { calls: 0, of: 0, days: 30, asked: 0, rejected: 0, denied: 0, examples: [] },
}

let decided = 0
let together = 0
let remembered = 0
let graveDecided = 0

it('P3: only what is on the screen is decided, by a key, after a moment, and grave calls by the word', () => {
  fc.assert(fc.property(story, fc.boolean(), tell), { numRuns: 1500 })
  // A story in which nobody ever decides proves nothing.
  expect(decided).toBeGreaterThan(200)
  expect(graveDecided).toBeGreaterThan(20)
  expect(together).toBeGreaterThan(20)
  expect(remembered).toBeGreaterThan(20)
})

function tell(story: [Happening, number][], isGrave: boolean): void {
  const severity = isGrave ? ('critical' as const) : ('normal' as const)
  const allowedDecisions: WireRequest['allowedDecisions'] = [
    'approve',
    'edit',
    'reject',
    'respond',
    'terminate',
  ]
  const scopes: WireRequest['scopes'] = ['once', 'session', 'always']
  const server = ['a', 'b'].map((id) => makeRequest(id, { severity, allowedDecisions, scopes }))
  let state = initialState('ana', INBOX)
  let at = 0
  let screen: { request: WireRequest; since: number } | undefined
  /** What was shown besides, to be approved together with it. */
  let others = new Map<string, { request: WireRequest; since: number }>()
  let lastLine = ''
  const asked: (() => WatchInput | undefined)[] = []

  const feed = (input: WatchInput) => {
    const before = state
    const { state: after, outputs, actions } = advanceWatch(state, input, words)
    state = after
    for (const action of actions) {
      if (action.kind === 'fetch') {
        asked.push(() => ({ kind: 'fetched', request: server.find(({ id }) => id === action.id)!, at }))
      }
      if (action.kind === 'edit') {
        const { id } = action.request
        asked.push(() => ({
          kind: 'edited',
          id,
          result: { kind: 'arguments', arguments: { path: 'other' } },
          at,
        }))
      }
      if (action.kind === 'suggest') {
        const { id } = action.request
        asked.push(() => ({ kind: 'suggested', id, suggestions: [suggestion], at }))
      }
      if (action.kind === 'gather') {
        const { id, ids } = action
        asked.push(() => ({
          kind: 'gathered',
          id,
          requests: server.filter((each) => ids.includes(each.id)),
          at,
        }))
      }
      if (action.kind !== 'decide') continue
      const { decision, digest, scope } = action.decision
      if (scope !== undefined) remembered++
      const other = others.get(action.id)
      if (other !== undefined) {
        expect({ decision, isGrave, kind: input.kind }).toEqual({
          decision: 'approve',
          isGrave: false,
          kind: 'key',
        })
        expect(digest).toBe(other.request.digest)
        expect(at - other.since).toBeGreaterThanOrEqual(500)
        together++
        asked.push(() => answerTo(action.id, digest))
        continue
      }
      expect(input.kind).toBe('key')
      expect(before.current).toMatchObject({ kind: 'shown', id: screen?.request.id })
      expect({ id: action.id, digest }).toEqual({ id: screen?.request.id, digest: screen?.request.digest })
      expect(at - screen!.since).toBeGreaterThanOrEqual(500)
      if (isGrave && (decision === 'approve' || decision === 'edit')) {
        expect(lastLine).toBe('yes')
        graveDecided++
      }
      decided++
      asked.push(() => answerTo(action.id, digest))
    }
    for (const output of outputs) {
      if (output.kind === 'request') {
        const shown = { request: output.request, since: at }
        if (state.current?.id === output.request.id) screen = shown
        else others.set(output.request.id, shown)
      }
      if (output.kind === 'difference') screen = { request: output.request, since: at }
    }
    if (state.current?.kind !== 'shown') screen = undefined
    const mode = state.current?.kind === 'shown' ? state.current.mode : undefined
    if (mode?.kind !== 'confirming_all') others = new Map()
    lastLine = mode?.kind === 'line' ? mode.typed.trim() : ''
  }

  const answerTo = (id: string, digest: string): WatchInput => {
    const index = server.findIndex((request) => request.id === id)
    const request = server[index]!
    if (request.state !== 'pending')
      return { kind: 'refused', id, code: 'already_decided', detail: 'late', at }
    if (request.digest !== digest)
      return { kind: 'refused', id, code: 'digest_mismatch', detail: 'changed', at }
    server[index] = { ...request, state: 'rejected', version: request.version + 1 }
    return { kind: 'recorded', request: server[index], isDecided: true }
  }

  feed({ kind: 'listed', requests: server })
  for (const [what, laterMs] of story) {
    at += laterMs
    if (what.kind === 'key') feed({ kind: 'key', key: what.key, at })
    else if (what.kind === 'determined') for (const key of DETERMINED) feed({ kind: 'key', key, at })
    else if (what.kind === 'patient') {
      for (const key of PATIENT[what.key] ?? []) {
        feed({ kind: 'key', key, at })
        for (const answer of asked.splice(0)) feed(answer()!)
        at += 600
      }
    } else if (what.kind === 'reconnect')
      feed({ kind: 'listed', requests: server.filter(({ state }) => state === 'pending') })
    else if (what.kind === 'answer') {
      const answer = asked.shift()?.()
      if (answer !== undefined) feed(answer)
    } else {
      const request = changed(server[what.which]!, what.kind)
      server[what.which] = request
      feed({ kind: 'changed', request, at })
    }
  }
}

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

function changed(request: WireRequest, kind: 'edit_by_others' | 'decide_by_others' | 'opened'): WireRequest {
  const version = request.version + 1
  if (kind === 'decide_by_others') return { ...request, version, state: 'rejected' }
  // A new request under the old id stands for one that comes in.
  if (kind === 'opened') return { ...request, version, state: 'pending', digest: `digest ${version}` }
  return { ...request, version, digest: `digest ${version}` }
}
