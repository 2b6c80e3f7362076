/** `records`: small things by kind and key, several changed at once or none. */

import { defined } from '../../core/defined.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { RecordChange, Store } from '../../stores/store.ts'
import { START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describeRecords({ describe, it, itShared }: Suite): void {
  describe('records', () => {
    it('P2: are changed by whoever names their version, and by nobody else', async (t) => {
      t.expect(await t.store.records.get('card', 'a')).toBe(undefined)
      const entry = t.entry({ type: 'calls.judged' })
      const first = await put(t, 'a', { n: 1 }, 0, entry)
      t.expect(entry.numbers).toEqual([1])
      const record = { kind: 'card', key: 'a', value: { n: 1 }, version: first }
      t.expect(await t.store.records.get('card', 'a')).toEqual(record)
      const refused = t.entry()
      for (const version of [0, first + 1, first - 1]) {
        const change = { kind: 'card', key: 'a', version, value: 2 }
        t.expect(await t.store.records.change([change], refused)).toEqual({
          won: false,
          lost: [{ kind: 'card', key: 'a', record }],
        })
      }
      t.expect(refused.numbers).toEqual([])
      t.expect(await t.store.records.change([{ kind: 'other', key: 'a', version: first }])).toEqual({
        won: false,
        lost: [{ kind: 'other', key: 'a', record: undefined }],
      })
      t.expect(await put(t, 'a', null, first)).toBe(first + 1)
      t.expect((await t.store.records.get('card', 'a'))?.value).toBe(null)
    })

    it('P2: are deleted without a value, and never get a version again that they had', async (t) => {
      const seen: number[] = []
      for (let round = 0; round < 4; round++) {
        const version = await put(t, 'a', round, 0)
        seen.push(version)
        t.expect(await t.store.records.change([{ kind: 'card', key: 'a', version }])).toEqual({
          won: true,
          versions: [0],
        })
        t.expect(await t.store.records.get('card', 'a')).toBe(undefined)
        await put(t, `other-${round}`, round, 0)
      }
      t.expect(new Set(seen).size).toBe(4)
      t.expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      await put(t, 'a', 'new', 0)
      for (const version of seen) {
        const late = await t.store.records.change([{ kind: 'card', key: 'a', version, value: 'late' }])
        t.expect(late.won).toBe(false)
      }
      t.expect((await t.store.records.get('card', 'a'))?.value).toBe('new')
      t.expect(await t.store.records.change([{ kind: 'card', key: 'none', version: 0 }])).toEqual({
        won: true,
        versions: [0],
      })
    })

    it('P2: several are changed together, or none of them is and each that lost is named', async (t) => {
      const a = await put(t, 'a', 1, 0)
      const b = await put(t, 'b', 1, 0)
      const refused = t.entry()
      const changes: RecordChange[] = [
        { kind: 'card', key: 'a', version: a, value: 2 },
        { kind: 'card', key: 'b', version: b + 7, value: 2 },
        { kind: 'card', key: 'c', version: 3, value: 2 },
        { kind: 'card', key: 'd', version: 0, value: 2 },
      ]
      const result = await t.store.records.change(changes, refused)
      const before = { kind: 'card', key: 'b', value: 1, version: b }
      t.expect(result).toEqual({
        won: false,
        lost: [
          { kind: 'card', key: 'b', record: before },
          { kind: 'card', key: 'c', record: undefined },
        ],
      })
      t.expect(refused.numbers).toEqual([])
      t.expect((await t.store.records.get('card', 'a'))?.value).toBe(1)
      t.expect(await t.store.records.get('card', 'd')).toBe(undefined)

      const won = await t.store.records.change([
        changes[0]!,
        { kind: 'card', key: 'b', version: b },
        changes[3]!,
      ])
      if (!won.won) throw new Error('it lost')
      t.expect(won.versions.map((version) => version > b)).toEqual([true, false, true])
      t.expect((await t.store.records.get('card', 'a'))?.version).toBe(won.versions[0])
      t.expect(await t.store.records.get('card', 'b')).toBe(undefined)
      t.expect((await t.store.records.get('card', 'd'))?.version).toBe(won.versions[2])
      const none = t.entry()
      t.expect(await t.store.records.change([], none)).toEqual({ won: true, versions: [] })
      t.expect(none.numbers.length).toBe(1)
    })

    it('P5: one that is named twice loses', async (t) => {
      const twice = { kind: 'card', key: 'a', version: 0, value: 1 }
      const other = { kind: 'card', key: 'b', version: 0, value: 1 }
      t.expect(await t.store.records.change([twice, other, { ...twice, value: 2 }])).toEqual({
        won: false,
        lost: [{ kind: 'card', key: 'a', record: undefined }],
      })
      t.expect(await t.store.records.get('card', 'b')).toBe(undefined)
    })

    it('P5: one that has expired is not there, from that very millisecond', async (t) => {
      const change = { kind: 'card', key: 'a', version: 0, value: 1, expiresInMs: 10 }
      const won = await t.store.records.change([change, { ...change, key: 'b', expiresInMs: 11 }])
      if (!won.won) throw new Error('it lost')
      const [version] = won.versions
      await t.setTime(START + 9)
      const record = { kind: 'card', key: 'a', value: 1, version, expiresAt: START + 10 }
      t.expect(await t.store.records.get('card', 'a')).toEqual(record)
      t.expect((await t.store.records.list({ kind: 'card' })).items.length).toBe(2)
      await t.setTime(START + 10)
      t.expect(await t.store.records.get('card', 'a')).toBe(undefined)
      t.expect((await t.store.records.list({ kind: 'card' })).items.map(({ key }) => key)).toEqual(['b'])
      const late = { kind: 'card', key: 'a', version: version!, value: 2 }
      t.expect(await t.store.records.change([late])).toEqual({
        won: false,
        lost: [{ kind: 'card', key: 'a', record: undefined }],
      })
      const again = await put(t, 'a', 3, 0)
      t.expect(again > version!).toBe(true)
      await t.setTime(START + 1000)
      t.expect(await t.store.records.get('card', 'a')).toEqual({
        kind: 'card',
        key: 'a',
        value: 3,
        version: again,
      })
    })

    it('an expiry is taken over by no later change', async (t) => {
      const change = { kind: 'card', key: 'a', version: 0, value: 1, expiresInMs: 10 }
      const won = await t.store.records.change([change])
      const version = won.won ? won.versions[0]! : 0
      const again = await t.store.records.change([{ ...change, version, expiresInMs: 30 }])
      await put(t, 'b', 1, 0)
      await t.setTime(START + 20)
      await put(t, 'c', 1, 0)
      t.expect((await t.store.records.get('card', 'a'))?.expiresAt).toBe(START + 30)
      await put(t, 'a', 2, again.won ? again.versions[0]! : 0)
      await t.setTime(START + 40)
      await put(t, 'd', 1, 0)
      t.expect((await t.store.records.get('card', 'a'))?.value).toBe(2)
    })

    it('many that have expired make room in time', async (t) => {
      const many = Array.from({ length: 150 }, (_, index) => `k${index}`)
      const change = (key: string) => ({ kind: 'card', key, version: 0, value: 1, expiresInMs: 5 })
      await t.store.records.change(many.map(change))
      await t.setTime(START + 5)
      for (let round = 0; round < 4; round++) await put(t, `new-${round}`, round, 0)
      t.expect((await t.store.records.list({ kind: 'card' })).items.length).toBe(4)
      t.expect((await t.store.records.change(many.map(change))).won).toBe(true)
    })

    it('are listed by kind and prefix in the order of their keys, page by page', async (t) => {
      const keys = ['a/2', 'a/1', 'a', 'b', 'a/', 'a0', 'a/%', 'a/_', 'a/*', 'a/[1]', 'a/\u{10ffff}x', 'ä']
      for (const key of keys) await put(t, key, key, 0)
      await t.store.records.change([{ kind: 'cards', key: 'a/1', version: 0, value: 1 }])
      const listed = (prefix?: string, limit?: number) => listKeys(t, 'card', prefix, limit)
      t.expect(await listed()).toEqual(keys.toSorted())
      t.expect(await listed(undefined, 1)).toEqual(keys.toSorted())
      const under = keys.filter((key) => key.startsWith('a/')).sort()
      t.expect(await listed('a/')).toEqual(under)
      t.expect(await listed('a/', 2)).toEqual(under)
      t.expect(await listed('a/\u{10ffff}')).toEqual(['a/\u{10ffff}x'])
      for (const prefix of ['a/%', 'a/_', 'a/*', 'a/[']) {
        t.expect(await listed(prefix)).toEqual(keys.filter((key) => key.startsWith(prefix)))
      }
      for (const prefix of ['%', '_', '*', '?', '[a-z]', 'a/[a-z]', 'A'])
        t.expect(await listed(prefix)).toEqual([])
      t.expect(await listKeys(t, 'cards')).toEqual(['a/1'])
      t.expect(await listKeys(t, 'car')).toEqual([])
    })

    it('gives at most 200 at a time, and a page goes on where the last one ended', async (t) => {
      const keys = Array.from({ length: 205 }, (_, index) => `k${String(index).padStart(3, '0')}`)
      await t.store.records.change(keys.map((key) => ({ kind: 'card', key, version: 0, value: key })))
      const first = await t.store.records.list({ kind: 'card', limit: 100_000 })
      t.expect(first.items.length).toBe(200)
      const last = first.items[199]!
      await t.store.records.change([
        { kind: 'card', key: last.key, version: last.version },
        { kind: 'card', key: 'k000a', version: 0, value: 1 },
        { kind: 'card', key: 'k200a', version: 0, value: 1 },
      ])
      const second = await t.store.records.list({ kind: 'card', cursor: first.cursor! })
      t.expect(second.items.map(({ key }) => key)).toEqual(['k200', 'k200a', 'k201', 'k202', 'k203', 'k204'])
      t.expect(second.cursor).toBe(undefined)
      const full = await t.store.records.list({ kind: 'card', prefix: 'k20', limit: 6 })
      t.expect([full.items.length, full.cursor]).toEqual([6, undefined])
    })

    it('P5: what is no cursor of this list is refused, not read from the start', async (t) => {
      for (const key of ['a', 'ab', 'ac']) await put(t, key, 1, 0)
      await t.opened('r1')
      await t.opened('r2')
      const { cursor } = await t.store.records.list({ kind: 'card', limit: 1 })
      const other = await t.store.list({ state: 'pending', limit: 1 })
      for (const query of [
        { kind: 'other', cursor: cursor! },
        { kind: 'card', prefix: 'ab', cursor: cursor! },
        { kind: 'card', cursor: other.cursor! },
        { kind: 'card', cursor: 'nonsense' },
        { kind: 'card', cursor: '' },
      ]) {
        t.expect(await t.codeOf(t.store.records.list(query))).toBe('invalid')
      }
    })

    it('P5: a kind has 1 to 64 characters and a key 1 to 512, and all else is refused', async (t) => {
      const kind = 'ä'.repeat(64)
      for (const key of ['😀'.repeat(256), 'é'.repeat(512), 'ｗ'.repeat(512)]) {
        t.expect((await t.store.records.change([{ kind, key, version: 0, value: key }])).won).toBe(true)
        t.expect((await t.store.records.get(kind, key))?.value).toBe(key)
        t.expect(await listKeys(t, kind, key)).toEqual([key])
      }
      const fine = { kind: 'card', key: 'fine', version: 0, value: 1 }
      for (const [badKind, key] of [
        ['', 'a'],
        ['x'.repeat(65), 'a'],
        ['card', ''],
        ['card', 'x'.repeat(513)],
        ['card', 'x'.repeat(10_000)],
        ['card', 'a\ud800'],
        ['\udc00', 'a'],
      ] as const) {
        const entry = t.entry()
        const changed = t.store.records.change([fine, { kind: badKind, key, version: 0, value: 1 }], entry)
        t.expect(await t.codeOf(changed)).toBe('invalid')
        t.expect(entry.numbers).toEqual([])
        t.expect(await t.codeOf(t.store.records.get(badKind, key))).toBe('invalid')
      }
      t.expect(await t.codeOf(t.store.records.list({ kind: '' }))).toBe('invalid')
      t.expect(await t.codeOf(t.store.records.list({ kind: 'card', prefix: 'x'.repeat(513) }))).toBe(
        'invalid',
      )
      t.expect(await t.store.records.get('card', 'fine')).toBe(undefined)
    })

    it('texts come back exactly, and what is handed in or out can be changed afterwards', async (t) => {
      const kind = "k\u0000 '\\:"
      const texts = ['a\u0000b', 'a\u0001b', 'a', "'); DROP TABLE records; --", 'é', 'e\u0301', '\u2028😀{}*']
      for (const key of texts) {
        const value: { [name: string]: JsonValue } = JSON.parse(
          '{"b":[1.5e300,{"z":"\\u0000"}],"__proto__":{},"2":[]}',
        )
        value.key = key
        const text = JSON.stringify(value)
        await t.store.records.change([{ kind, key, version: 0, value }])
        value.key = 'changed'
        const read = await t.store.records.get(kind, key)
        t.expect(JSON.stringify(read?.value)).toBe(text)
        try {
          Object.assign(read!.value as object, { key: 'changed' })
        } catch {
          // Frozen, which is as good.
        }
        t.expect(JSON.stringify((await t.store.records.get(kind, key))?.value)).toBe(text)
      }
      t.expect((await listKeys(t, kind)).toSorted()).toEqual(texts.toSorted())
      t.expect(await listKeys(t, kind, 'a\u0000')).toEqual(['a\u0000b'])
      t.expect((await t.store.records.list({ kind, prefix: 'e\u0301' })).items.length).toBe(1)
      const long = 'x'.repeat(300_000)
      await put(t, 'long', long, 0)
      t.expect((await t.store.records.get('card', 'long'))?.value).toBe(long)
    })

    it('P2: of many concurrent changes of one version one wins, and the others are told which', async (t) => {
      const version = await put(t, 'a', 'before', 0)
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, value) =>
          t.store.records.change([{ kind: 'card', key: 'a', version, value }]),
        ),
      )
      const winner = results.findIndex((result) => result.won)
      t.expect(results.filter((result) => result.won).length).toBe(1)
      for (const result of results) if (!result.won) t.expect(result.lost[0]?.record?.value).toBe(winner)
    })

    itShared('P2: of changes through several store objects one wins', async (t) => {
      const stores: Store[] = [t.store, await t.another(), await t.another()]
      for (let round = 0; round < 5; round++) {
        const key = `key-${round}`
        const version = round % 2 === 0 ? 0 : await put(t, key, 'before', 0)
        const results = await Promise.all(
          stores.map((store, index) => {
            const own = { kind: 'card', key: `${key}-${index}`, version: 0, value: index }
            const entry = t.entry({ chain: `chain-of-${index}` })
            return store.records.change([own, { kind: 'card', key, version, value: index }], entry)
          }),
        )
        t.expect(results.filter((result) => result.won).length).toBe(1)
        const winner = results.findIndex((result) => result.won)
        for (const store of stores) t.expect((await store.records.get('card', key))?.value).toBe(winner)
        t.expect(await listKeys(t, 'card', `${key}-`)).toEqual([`${key}-${winner}`])
      }
      for (const store of stores.slice(1)) await store.close()
    })

    itShared('outlive the store object, and are of their namespace alone', async (t) => {
      const other = await t.another({ namespace: 'elsewhere' })
      const version = await put(t, 'a', 1, 0)
      const deleted = await put(t, 'b', 1, 0)
      await t.store.records.change([{ kind: 'card', key: 'b', version: deleted }])
      t.expect(await other.records.get('card', 'a')).toBe(undefined)
      t.expect(await other.records.list({ kind: 'card' })).toEqual({ items: [] })
      t.expect((await other.records.change([{ kind: 'card', key: 'a', version, value: 2 }])).won).toBe(false)
      t.expect((await other.records.change([{ kind: 'card', key: 'a', version: 0, value: 2 }])).won).toBe(
        true,
      )
      await other.close()
      await t.store.close()
      const store = await t.another()
      t.expect(await store.records.get('card', 'a')).toEqual({ kind: 'card', key: 'a', value: 1, version })
      const again = await store.records.change([{ kind: 'card', key: 'b', version: 0, value: 2 }])
      t.expect(again.won && again.versions[0]! > deleted).toBe(true)
      await store.close()
    })
  })
}

/** Changes one of the kind `card`, where losing is a fault; gives its version. */
async function put(
  t: StoreTest,
  key: string,
  value: JsonValue,
  version: number,
  entry?: ReturnType<StoreTest['entry']>,
): Promise<number> {
  const result = await t.store.records.change([{ kind: 'card', key, version, value }], entry)
  if (!result.won) throw new Error(`changing ${key} lost to ${JSON.stringify(result.lost)}`)
  return result.versions[0]!
}

/** All keys, page by page. */
async function listKeys(t: StoreTest, kind: string, prefix?: string, limit?: number): Promise<string[]> {
  const query = { kind, ...defined({ prefix, limit }) }
  const found = await readAllPages((next) => t.store.records.list({ ...query, ...next }))
  return found.map(({ key }) => key)
}
