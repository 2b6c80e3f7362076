/** What a test of the store contract holds in its hands: an empty store, its clock, and the makers of drafts. */
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { Progress, Request, RequestDraft, RequestState } from '../../core/request.ts'
import type { EntryContent, EntryDraft } from '../../journal/entry.ts'
import type {
  CallRecord,
  Change,
  Opening,
  OpenResult,
  Recording,
  RecordResult,
  Store,
  TurnAppending,
} from '../../stores/store.ts'
import type { Expectation, Runner } from '../runner.ts'
import { audit } from './audit.ts'
import { callRecord, requestDraft, START, sessionDraft } from './drafts.ts'

export interface StoreUnderTest {
  /** Empty. */
  store: Store
  /** Sets the store's time, which stands still in between. A driver with a server's time takes one for tests. */
  setTime(at: number): void | Promise<void>
  /** One more store object on the same data, with the same clock. */
  another?(options?: { namespace?: string }): Promise<Store>
  /** After the test. The store may be closed already. */
  dispose(): Promise<void>
}

export interface Suite {
  describe(name: string, body: () => void): void
  it(name: string, body: (t: StoreTest) => Promise<void>): void
  /** For what takes a second store object on the same data. */
  itShared(name: string, body: (t: StoreTest & { another: Another }) => Promise<void>): void
}

type Another = NonNullable<StoreUnderTest['another']>

export interface TestEntry extends EntryDraft {
  /** The numbers it was told. */
  numbers: number[]
}

export interface StoreTest {
  store: Store
  expect(actual: unknown): Expectation
  setTime(at: number): Promise<void>
  /** A draft of an entry that is watched until the end of the test. */
  entry(content?: Partial<EntryContent>): TestEntry
  open(id: string, over?: OpeningOver): Promise<OpenResult>
  /** The same, where anything but `opened` is a fault. */
  opened(id: string, over?: OpeningOver): Promise<Request>
  record(callId: string, over?: RecordingOver): Promise<RecordResult>
  /** Appends to the log of `s1`, or of the session that is named. */
  append(at: number, turn: JsonValue, over?: AppendingOver): ReturnType<Store['turns']['append']>
  change(request: Request, to: RequestState, over?: Partial<Change>): Change
  /** Moves it, where losing is a fault. */
  moved(request: Request, to: RequestState, over?: Partial<Change>): Promise<Request>
  /** The code of the error that it fails with, or `resolved`. */
  codeOf(promise: Promise<unknown>): Promise<string>
}

export interface OpeningOver extends Partial<Omit<Opening, 'request' | 'session'>> {
  request?: Partial<RequestDraft>
  session?: Partial<Opening['session']>
}

export interface RecordingOver extends Partial<Omit<Recording, 'call' | 'session'>> {
  call?: Partial<CallRecord>
  session?: Partial<Recording['session']>
}

export interface AppendingOver extends Partial<Omit<TurnAppending, 'session'>> {
  session?: Partial<TurnAppending['session']>
}

export function createSuite(
  runner: Runner,
  open: () => Promise<StoreUnderTest>,
  notShared: string | undefined,
): Suite {
  const run = (body: (t: StoreTest & { another: Another }) => Promise<void>) => async () => {
    const subject = await open()
    const entries: TestEntry[] = []
    try {
      await subject.setTime(START)
      const another: Another = (options) => {
        if (subject.another === undefined) throw new Error('this store under test has no `another`')
        return subject.another(options)
      }
      await body({ ...createTest(runner, subject, entries), another })
      await audit(runner.expect, subject.store, entries)
    } finally {
      await subject.dispose()
    }
  }
  return {
    describe: (name, body) => runner.describe(name, body),
    it: (name, body) => runner.it(name, run(body)),
    itShared(name, body) {
      if (notShared === undefined) runner.it(name, run(body))
      else runner.it.skip(`${name} (skipped: ${notShared})`, run(body))
    },
  }
}

function createTest(runner: Runner, subject: StoreUnderTest, entries: TestEntry[]): StoreTest {
  const { store } = subject

  function entry(content: Partial<EntryContent> = {}): TestEntry {
    const numbers: number[] = []
    const body = `{"step":${entries.length}}`
    const draft: TestEntry = {
      chain: 'chain-1',
      type: 'request.opened',
      body,
      ...content,
      numbers,
      committed: (n) => void numbers.push(n),
    }
    entries.push(draft)
    return draft
  }

  function open(id: string, over: OpeningOver = {}): Promise<OpenResult> {
    const { request, session, ...rest } = over
    const draft = requestDraft(id, request)
    return store.open({
      request: draft,
      state: 'pending',
      session: sessionDraft(draft.session, session),
      deliveries: [],
      maxPending: 1000,
      entry: entry({ request: id, version: 1 }),
      ...rest,
    })
  }

  function change(request: Request, to: RequestState, over: Partial<Change> = {}): Change {
    const progress: Progress = request.progress
    return {
      id: request.id,
      version: request.version,
      from: request.state,
      to,
      progress,
      deadline: 'none',
      entry: entry({ type: 'request.decided', request: request.id, version: request.version + 1 }),
      ...over,
    }
  }

  return {
    store,
    expect: runner.expect,
    async setTime(at) {
      await subject.setTime(at)
    },
    entry,
    open,
    async opened(id, over) {
      const result = await open(id, over)
      if (result.kind !== 'opened') throw new Error(`opening ${id} gave ${JSON.stringify(result)}`)
      return result.request
    },
    record(callId, over = {}) {
      const { call, session, ...rest } = over
      const record = callRecord(callId, call)
      return store.record({
        call: record,
        session: sessionDraft(record.session, session),
        entry: entry({ type: 'grant.used' }),
        ...rest,
      })
    },
    append(at, turn, { session, ...rest } = {}) {
      return store.turns.append({
        session: sessionDraft('s1', session),
        at,
        turn,
        unfinished: false,
        entry: entry({ type: 'session.begun' }),
        ...rest,
      })
    },
    change,
    async moved(request, to, over) {
      const wanted = change(request, to, over)
      const result = await store.transition(wanted)
      if (!result.won)
        throw new Error(`moving ${request.id} to ${to} lost to ${JSON.stringify(result.request)}`)
      const { progress } = wanted
      return { ...request, state: to, version: request.version + 1, progress, deadline: result.deadline }
    },
    async codeOf(promise) {
      try {
        await promise
        return 'resolved'
      } catch (error) {
        return isBanksmanError(error) ? error.code : `not a BanksmanError: ${error}`
      }
    },
  }
}
