/** Grants in memory. */
import type { Grant } from '../../../core/grants/grant.ts'
import { readCursor } from '../../cursor.ts'
import type { GrantVerbs } from '../../store.ts'
import { type Applier, taken } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { pageOf } from '../tables/page.ts'
import { createSortedIndex } from '../tables/sorted-index.ts'
import type { MemoryJournal } from './journal.ts'

export interface MemoryGrants extends GrantVerbs {
  /** Copies that are ready to be added; throws when one of the ids is taken, or named twice. */
  prepare(grants: readonly Grant[]): Grant[]
  /** Inside a write: adds one that was prepared. */
  add(grant: Grant): void
  /** Inside a write: takes one use of each; false, and none is taken, when one of them has none to take. */
  consume(ids: readonly string[]): boolean
  /** Whether there is one for the tool, spent or not. */
  any(tool: string): boolean
}

export function createGrants(applier: Applier, now: () => number, journal: MemoryJournal): MemoryGrants {
  const grants = new Map<string, Grant>()
  const byId = createSortedIndex<string>()
  const byTool = new Map<string, string[]>()

  function isSpent(grant: Grant): boolean {
    if (grant.revoked !== undefined) return true
    if (grant.expiresAt !== undefined && grant.expiresAt <= now()) return true
    return grant.usesLeft !== undefined && grant.usesLeft <= 0
  }

  function* behind(id: string): Generator<Grant, void> {
    for (const each of byId.after(0, id)) yield grants.get(each)!
  }

  return {
    prepare(wanted) {
      const ids = new Set<string>()
      for (const { id } of wanted) {
        if (grants.has(id) || ids.has(id)) throw taken('grant', id)
        ids.add(id)
      }
      return wanted.map(({ revoked: _, ...fresh }) => frozenCopy(fresh))
    },
    add(grant) {
      grants.set(grant.id, grant)
      byId.add(0, grant.id, grant.id)
      const ids = byTool.get(grant.tool)
      if (ids === undefined) byTool.set(grant.tool, [grant.id])
      else ids.push(grant.id)
    },
    consume(ids) {
      const after = new Map<string, Grant>()
      for (const id of ids) {
        const grant = after.get(id) ?? grants.get(id)
        if (grant === undefined || isSpent(grant)) return false
        const { usesLeft } = grant
        const left = usesLeft === undefined ? {} : { usesLeft: usesLeft - 1 }
        after.set(id, Object.freeze({ ...grant, uses: grant.uses + 1, ...left }))
      }
      for (const [id, grant] of after) grants.set(id, grant)
      return true
    },
    any: (tool) => byTool.has(tool),
    find: ({ tool, sessions }) =>
      applier.read(() =>
        (byTool.get(tool) ?? [])
          .map((id) => grants.get(id)!)
          .filter((grant) => grant.session === undefined || sessions.includes(grant.session))
          .filter((grant) => !isSpent(grant)),
      ),
    list: (query) =>
      applier.read(() => {
        const [last] = readCursor(query.cursor, [''])
        return pageOf(behind(last), query.limit, (grant) => [grant.id])
      }),
    get: (id) => applier.read(() => grants.get(id)),
    revoke: (id, by, entry) =>
      applier.write(() => {
        const grant = grants.get(id)
        if (grant === undefined || grant.revoked !== undefined) return false
        grants.set(id, Object.freeze({ ...grant, revoked: Object.freeze({ at: now(), by }) }))
        journal.add(entry)
        return true
      }),
  }
}
