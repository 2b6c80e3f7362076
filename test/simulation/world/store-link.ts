/**
 * A node's connection to the shared store. A verb travels there, is done or not, and its result travels back or not. An
 * error that comes back says nothing about whether the verb was done: just as with a real server.
 */
import { BanksmanError } from '../../../src/core/errors.ts'
import type { EntryDraft } from '../../../src/journal/entry.ts'
import type { Hint, Store } from '../../../src/stores/store.ts'
import type { Life } from './machine.ts'
import { isRead, verbsOf } from './shared-store.ts'
import { EPOCH, type World } from './world.ts'

export interface StoreLink {
  readonly store: Store
  /** Cuts the connection over which verbs go. */
  cut(): void
  /** Cuts the connection over which hints come. */
  deafen(): void
  /** Both work again; whoever may have missed a hint is told to look. */
  mend(): void
  /** Somebody has committed something. */
  hint(hint: Hint): void
  isMended(): boolean
  close(): void
}

export function createStoreLink(world: World, life: Life): StoreLink {
  const { scheduler, faults, random, shared } = world
  const listeners = new Set<(hint: Hint) => void>()
  let isCut = false
  let isDeaf = false
  /** How far the store's clock is taken to be ahead: as it was when the last reply came, and never quite right. */
  const mistake = random.between(-80, 80)
  let skew = shared.offset() + mistake

  function call(path: string, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { drafts, sent } = holdBack(args)
      const failWith = (delayMs: number, code: 'store_unavailable' | 'store_full') => {
        const error = new BanksmanError(code, `the simulated store failed in ${path}`)
        life.after(delayMs, `${life.node} < ${path} ${code}`, () => reject(error))
      }
      const read = isRead(path)
      if (isCut) return failWith(random.between(1, 50), 'store_unavailable')
      if (faults.strikes('store failed before')) return failWith(travel(), 'store_unavailable')
      if (!read && faults.strikes('store full')) return failWith(travel(), 'store_full')
      const isLost = faults.strikes('store failed after')
      scheduler.after(travel(), `${life.node} > ${path}`, () => {
        // What was sent before the connection was cut may have got there: then only the reply is lost.
        const done = isLost || isCut
        const offset = shared.offset()
        world.ledger.watchOver(life, path, sent).then(
          (result) => {
            if (done) return failWith(travel(), 'store_unavailable')
            life.after(travel(), `${life.node} < ${path}`, () => {
              if (isCut) return reject(new BanksmanError('store_unavailable', 'the connection was cut'))
              skew = offset + mistake
              for (const draft of drafts) draft.tell()
              resolve(result)
            })
          },
          (error) => life.after(travel(), `${life.node} < ${path} ${error.code}`, () => reject(error)),
        )
      })
    })
  }

  function travel(): number {
    return faults.strikes('store slow') ? random.between(20, 1500) : random.between(0, 3)
  }

  function deliver(hint: Hint, delayMs: number): void {
    life.after(delayMs, `${life.node} hint${hint.local ? ' of its own' : ''}`, () => {
      for (const listener of listeners) listener(hint)
    })
  }

  const parts: Record<string, unknown> = {
    name: 'simulated',
    now: () => EPOCH + scheduler.now() + skew,
    watch(listener: (hint: Hint) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => Promise.resolve(),
  }
  for (const path of verbsOf(shared.memory)) {
    const [group, verb] = path.split('.')
    if (verb === undefined) parts[group!] = (...args: unknown[]) => call(path, args)
    else {
      parts[group!] ??= {}
      ;(parts[group!] as Record<string, unknown>)[verb] = (...args: unknown[]) => call(path, args)
    }
  }

  return {
    store: parts as unknown as Store,
    cut() {
      isCut = true
    },
    deafen() {
      isDeaf = true
    },
    mend() {
      isCut = false
      if (!isDeaf) return
      isDeaf = false
      deliver({ local: false }, random.between(0, 100))
    },
    hint(hint) {
      if (isDeaf) return faults.count('hint dropped')
      // One that is dropped means that the connection broke: there is another when it is there again.
      if (!hint.local && faults.strikes('hint dropped')) {
        deliver({ local: false }, random.between(100, 3000))
        return
      }
      deliver(hint, faults.strikes('hint delayed') ? random.between(50, 3000) : random.between(0, 5))
      if (faults.strikes('hint duplicated')) deliver(hint, random.between(0, 500))
    },
    isMended: () => !isCut && !isDeaf,
    close: () => listeners.clear(),
  }
}

interface HeldBack {
  /** The same arguments, whose entries are told nothing yet. */
  sent: unknown[]
  drafts: { tell(): void }[]
}

/** The number of an entry is in the reply: who does not get the reply does not learn it. */
function holdBack(args: readonly unknown[]): HeldBack {
  const drafts: HeldBack['drafts'] = []
  const hold = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hold)
    if (typeof value !== 'object' || value === null) return value
    if ('committed' in value && 'chain' in value) return holdDraft(value as EntryDraft)
    if ('entry' in value || 'changes' in value) {
      const { entry, changes, ...rest } = value as Record<string, unknown>
      return {
        ...rest,
        ...(entry === undefined ? {} : { entry: hold(entry) }),
        ...(changes === undefined ? {} : { changes: hold(changes) }),
      }
    }
    return value
  }
  const holdDraft = (draft: EntryDraft): EntryDraft => {
    let number: number | undefined
    drafts.push({
      tell() {
        if (number !== undefined) draft.committed(number)
      },
    })
    return {
      ...draft,
      committed(n) {
        number = n
      },
    }
  }
  return { sent: args.map(hold), drafts }
}
