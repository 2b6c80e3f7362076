/** `tokens` and `presence`: who may come in, and who is there. */
import { MINUTE, START, tokenDraft } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

export function describePeople({ describe, it }: Suite): void {
  describe('tokens', () => {
    it('P10: are created on the record and found by the hash of their secret', async (t) => {
      const token = tokenDraft('t1', { label: 'laptop', scope: 'hooks:codex', expiresAt: START + MINUTE })
      const entry = t.entry({ type: 'token.created' })
      await t.store.tokens.create(token, entry)
      t.expect(entry.numbers).toEqual([1])
      t.expect(await t.store.tokens.find('hash-t1')).toEqual(token)
      t.expect(await t.store.tokens.find('t1')).toBe(undefined)
      await t.store.tokens.create(tokenDraft('t2'), t.entry())
      t.expect((await t.store.tokens.list()).map((each) => each.id).sort()).toEqual(['t1', 't2'])
    })

    it('are found when they have expired or were revoked, and say so', async (t) => {
      const token = tokenDraft('t1', { expiresAt: START + 1 })
      await t.store.tokens.create(token, t.entry())
      await t.setTime(START + 5)
      t.expect(await t.store.tokens.find('hash-t1')).toEqual(token)
      t.expect(await t.store.tokens.revoke('t1', t.entry({ type: 'token.revoked' }))).toBe(true)
      t.expect(await t.store.tokens.find('hash-t1')).toEqual({ ...token, revokedAt: START + 5 })
    })

    it('P2: are revoked once', async (t) => {
      await t.store.tokens.create(tokenDraft('t1'), t.entry())
      const results = await Promise.all([1, 2, 3].map(() => t.store.tokens.revoke('t1', t.entry())))
      t.expect(results.filter(Boolean).length).toBe(1)
      t.expect(await t.store.tokens.revoke('no such', t.entry())).toBe(false)
    })

    it('P5: an id or a secret that is taken fails, and the old token stays', async (t) => {
      const token = tokenDraft('t1')
      await t.store.tokens.create(token, t.entry())
      const twins = [tokenDraft('t1', { secretHash: 'other' }), tokenDraft('t2', { secretHash: 'hash-t1' })]
      for (const twin of twins) {
        t.expect(await t.codeOf(t.store.tokens.create(twin, t.entry()))).toBe('store_unavailable')
      }
      t.expect(await t.store.tokens.list()).toEqual([token])
    })

    it('P11: a login code is exchanged for a key exactly once', async (t) => {
      await t.store.tokens.create(tokenDraft('code', { use: 'login' }), t.entry())
      const keys = Array.from({ length: 6 }, (_, index) => tokenDraft(`key-${index}`))
      const results = await Promise.all(keys.map((key) => t.store.tokens.exchange('code', key, t.entry())))
      t.expect(results.filter(Boolean).length).toBe(1)
      const winner = keys[results.indexOf(true)]!
      t.expect((await t.store.tokens.list()).map((token) => token.id).sort()).toEqual(['code', winner.id])
      t.expect(await t.store.tokens.find(winner.secretHash)).toEqual(winner)
      t.expect((await t.store.tokens.find('hash-code'))?.revokedAt).toBe(START)
    })

    it('P11: what is expired, revoked, unknown or no login code is exchanged for nothing', async (t) => {
      await t.store.tokens.create(tokenDraft('late', { use: 'login', expiresAt: START + 10 }), t.entry())
      await t.store.tokens.create(tokenDraft('gone', { use: 'login' }), t.entry())
      await t.store.tokens.create(tokenDraft('bearer'), t.entry())
      await t.store.tokens.revoke('gone', t.entry())
      await t.setTime(START + 10)
      for (const code of ['late', 'gone', 'bearer', 'no such']) {
        t.expect(await t.store.tokens.exchange(code, tokenDraft('key'), t.entry())).toBe(false)
      }
      t.expect(await t.store.tokens.find('hash-key')).toBe(undefined)
      t.expect((await t.store.tokens.find('hash-bearer'))?.revokedAt).toBe(undefined)
    })

    it('P5: an exchange for a key whose id is taken fails, and the code is still good', async (t) => {
      await t.store.tokens.create(tokenDraft('code', { use: 'login' }), t.entry())
      await t.store.tokens.create(tokenDraft('key'), t.entry())
      t.expect(await t.codeOf(t.store.tokens.exchange('code', tokenDraft('key'), t.entry()))).toBe(
        'store_unavailable',
      )
      t.expect(await t.store.tokens.exchange('code', tokenDraft('key-2'), t.entry())).toBe(true)
    })
  })

  describe('presence', () => {
    it('P8: is a lease that ends at its very millisecond unless it is renewed', async (t) => {
      const here = { channel: 'pet', connection: 'k1', subject: 'ana', conversation: 'c1' }
      await t.store.presence.renew(here, 30)
      t.expect(await t.store.presence.list('pet')).toEqual([here])
      await t.setTime(START + 29)
      t.expect(await t.store.presence.list('pet')).toEqual([here])
      await t.store.presence.renew(here, 30)
      await t.setTime(START + 58)
      t.expect(await t.store.presence.list('pet')).toEqual([here])
      await t.setTime(START + 59)
      t.expect(await t.store.presence.list('pet')).toEqual([])
    })

    it('P8: tells channels and connections apart, and ends with leaving', async (t) => {
      await t.store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ana' }, 30)
      await t.store.presence.renew({ channel: 'pet', connection: 'k2', subject: 'ben' }, 30)
      await t.store.presence.renew({ channel: 'sse', connection: 'k1', subject: 'eve' }, 30)
      t.expect(await subjects(t, 'pet')).toEqual(['ana', 'ben'])
      await t.store.presence.leave('pet', 'k1')
      await t.store.presence.leave('pet', 'no such')
      t.expect(await subjects(t, 'pet')).toEqual(['ben'])
      t.expect(await subjects(t, 'sse')).toEqual(['eve'])
      t.expect(await subjects(t, 'other')).toEqual([])
    })

    it('P6: a connection that comes back as another person is that person', async (t) => {
      await t.store.presence.renew(
        { channel: 'pet', connection: 'k1', subject: 'ana', conversation: 'c1' },
        30,
      )
      await t.store.presence.renew({ channel: 'pet', connection: 'k1', subject: 'ben' }, 30)
      t.expect(await t.store.presence.list('pet')).toEqual([
        { channel: 'pet', connection: 'k1', subject: 'ben' },
      ])
    })
  })
}

async function subjects(t: StoreTest, channel: string): Promise<string[]> {
  return (await t.store.presence.list(channel)).map((presence) => presence.subject).sort()
}
