/**
 * The log of one session, as its agent holds it: everything that was kept, read once, and appended to. One process at a time
 * runs a turn and writes what comes of it. Others may put words into it: they say something, or want it to stop. Whoever
 * runs the turn finds such words at its next entry, and goes on behind them. Should it find anything else, another process
 * has taken the turn over, and this one stops rather than do things twice.
 */

import type { TurnEntry } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { canonicalize, type JsonValue } from '../../../core/json/json.ts'
import type { Actor } from '../../../core/session.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'

export interface TurnLog {
  readonly entries: readonly TurnEntry[]
  /**
   * For whoever runs the turn. Where others have put words in, `still` is asked whether this is to be written all the same;
   * false when it was not.
   */
  append(entry: TurnEntry, still?: () => boolean): Promise<boolean>
  /**
   * For whoever does not. `make` is asked what to write each time others were quicker, with what they wrote in the log;
   * undefined, and nothing is written.
   */
  offer(make: () => TurnEntry | undefined): Promise<TurnEntry | undefined>
  /** Reads what others have written since. */
  refresh(): Promise<void>
  /** Those of one turn, from its beginning. */
  of(turn: string): TurnEntry[]
  /** After a store that could not say whether it had written: looks whether it has. */
  reconcile(): Promise<void>
  /** About how long it is. */
  characters(): number
  /** The turn that has begun and not ended. */
  unfinished(): string | undefined
  /** `t1`, `t2`, … */
  nextTurn(): string
}

/** Told of what other processes have written, once, when it is in the log. */
export type HearEntries = (entries: readonly KeptEntry[]) => void

export type KeptEntry = Exclude<TurnEntry, { kind: 'erased' }>

/** Another process works on the session. */
export class SessionLost extends Error {
  constructor(session: string) {
    super(`session ${JSON.stringify(session)} is being worked on by another process; this one stops`)
    this.name = 'SessionLost'
  }
}

const PAGE = 500
/** Each race that is lost was won by somebody who had something to say. */
const MAX_RACES = 1000

/** For a session that nobody has said anything in, an empty one. */
export async function openTurnLog(
  gateway: Pick<Gateway, 'turns'>,
  session: { id: string; parent?: string },
  actor: Actor,
  hear: HearEntries = () => {},
): Promise<TurnLog> {
  const entries: TurnEntry[] = []
  for (;;) {
    const page = await readPage(gateway, session.id, entries.length, actor)
    entries.push(...page)
    if (page.length < PAGE) break
  }
  let characters = entries.reduce((sum, entry) => sum + sizeOf(entry), 0)
  let queue: Promise<unknown> = Promise.resolve()
  /** Of these the store could not say whether it had written them. */
  const doubtful = new Set<TurnEntry>()

  /** One after the other: the place of each is the length at that moment. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }

  function push(entry: TurnEntry): void {
    entries.push(entry)
    characters += sizeOf(entry)
  }

  async function tryAt(entry: TurnEntry): Promise<boolean> {
    doubtful.add(entry)
    const won = await gateway.turns.append(
      {
        session: session.id,
        ...defined({ parentSession: session.parent }),
        at: entries.length,
        turn: entry as unknown as JsonValue,
        unfinished: !isBetweenTurns(entry),
      },
      actor,
    )
    doubtful.delete(entry)
    if (won) push(entry)
    return won
  }

  /** What others have written. */
  async function catchUp(): Promise<KeptEntry[]> {
    const foreign: KeptEntry[] = []
    for (;;) {
      const page = await readPage(gateway, session.id, entries.length, actor)
      for (const entry of page) {
        push(entry)
        const own = [...doubtful].find((each) => isSame(entry, each))
        if (own !== undefined) doubtful.delete(own)
        else if (entry.kind !== 'erased') foreign.push(entry)
      }
      if (page.length < PAGE) break
    }
    if (foreign.length > 0) hear(foreign)
    return foreign
  }

  async function write(make: () => TurnEntry | undefined, isRunner: boolean): Promise<TurnEntry | undefined> {
    for (let race = 0; race < MAX_RACES; race++) {
      const entry = make()
      if (entry === undefined || (await tryAt(entry))) return entry
      const foreign = await catchUp()
      if (isRunner && foreign.some((each) => !isInboundEntry(each))) throw new SessionLost(session.id)
    }
    throw new SessionLost(session.id)
  }

  return {
    entries,
    append: (entry, still = () => true) =>
      inTurn(async () => {
        let isFirst = true
        const make = () => {
          const wanted = isFirst || still() ? entry : undefined
          isFirst = false
          return wanted
        }
        return (await write(make, true)) !== undefined
      }),
    offer: (make) => inTurn(() => write(make, false)),
    refresh: () => inTurn(async () => void (await catchUp())),
    of: (turn) => entries.filter((entry) => entry.kind !== 'erased' && entry.turn === turn),
    reconcile: () =>
      inTurn(async () => {
        if (doubtful.size === 0) return
        const foreign = await catchUp()
        doubtful.clear()
        if (foreign.some((each) => !isInboundEntry(each))) throw new SessionLost(session.id)
      }),
    characters: () => characters,
    unfinished() {
      const last = entries.findLast((entry) => entry.kind !== 'erased')
      return last === undefined || isBetweenTurns(last) ? undefined : last.turn
    },
    nextTurn: () => `t${entries.filter((entry) => entry.kind === 'begun').length + erasedTurns(entries) + 1}`,
  }
}

/** What may be put into a turn by who does not run it. */
export function isInboundEntry(
  entry: TurnEntry,
): entry is Extract<TurnEntry, { kind: 'steered' | 'interrupted' }> {
  return entry.kind === 'steered' || entry.kind === 'interrupted'
}

/** Whether no turn is under way after it. */
function isBetweenTurns({ kind }: TurnEntry): boolean {
  return kind === 'ended' || kind === 'opened'
}

function isSame(one: TurnEntry, other: TurnEntry): boolean {
  return canonicalize(one) === canonicalize(other)
}

function sizeOf(entry: TurnEntry): number {
  if (entry.kind === 'answered')
    return entry.text.length + entry.calls.reduce((sum, call) => sum + call.argumentsText.length, 0)
  return 'text' in entry ? entry.text.length : 0
}

async function readPage(
  gateway: Pick<Gateway, 'turns'>,
  session: string,
  after: number,
  actor: Actor,
): Promise<TurnEntry[]> {
  try {
    const page = await gateway.turns.read(session, { after, limit: PAGE }, actor)
    return page.map((turn) => (turn === null ? { kind: 'erased' } : (turn as unknown as TurnEntry)))
  } catch (error) {
    if (after === 0 && error instanceof BanksmanError && error.code === 'unknown_id') return []
    throw error
  }
}

/** Their numbers must not come up again: call ids are made of them. Each entry may have been the beginning of one. */
function erasedTurns(entries: readonly TurnEntry[]): number {
  return entries.filter((entry) => entry.kind === 'erased').length
}
