import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClient } from '../../../../src/client/index.ts'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createKeyStore, type KeyStore } from './key-store.ts'
import { createLogin } from './login.ts'

let http: HttpGateway
let keys: KeyStore
beforeEach(async () => {
  http = await openHttpGateway()
  // Nothing is kept but for the visit, as in a browser that refuses.
  keys = createKeyStore(() => {
    throw new Error('no storage')
  })
})
afterEach(() => http.close())

async function newCode(subject = 'ben'): Promise<string> {
  const ana = createClient({ url: http.server.address.url, token: http.tokens.ana })
  return (await ana.tokens.createLogin({ role: 'approver', subject })).code
}

describe('access', () => {
  it('lets a person in with a code, and again later with the key it got', async () => {
    const access = createLogin(http.server.address.url, keys)
    await access.enter(await newCode())
    expect(access.state.value).toMatchObject({ kind: 'in', identity: { subject: 'ben' } })

    const later = createLogin(http.server.address.url, keys)
    await later.enter()
    expect(later.state.value).toMatchObject({ kind: 'in', identity: { subject: 'ben' } })
  })

  it('stays outside without a code or a key', async () => {
    const access = createLogin(http.server.address.url, keys)
    await access.enter()
    expect(access.state.value).toEqual({ kind: 'out' })
  })

  it('P11: a code opens the door once; who is in stays in when it is tried again', async () => {
    const code = await newCode()
    const access = createLogin(http.server.address.url, keys)
    await access.enter(code)
    await access.enter(code)
    await access.choose('link')
    expect(access.state.value).toMatchObject({ kind: 'in', identity: { subject: 'ben' } })
    access.leave()
    await access.enter(code)
    expect(access.state.value).toMatchObject({ kind: 'out', error: { code: 'unauthenticated' } })
  })

  it('P6: nobody becomes somebody else by opening a link, unless they say so', async () => {
    const access = createLogin(http.server.address.url, keys)
    await access.enter(await newCode('ben'))
    const code = await newCode('eve')
    await access.enter(code)
    expect(access.state.value).toMatchObject({ kind: 'asked', identity: { subject: 'ben' } })
    await access.choose('stay')
    expect(access.state.value).toMatchObject({ kind: 'in', identity: { subject: 'ben' } })
    // Nothing was done with it: it is still good for whom it was made.
    await access.enter(code)
    await access.choose('link')
    expect(access.state.value).toMatchObject({ kind: 'in', identity: { subject: 'eve' } })
    await access.choose('stay')
    expect(access.state.value).toMatchObject({ identity: { subject: 'eve' } })
  })

  it('a link takes the place of a key that no longer counts', async () => {
    keys.write('bmp_made-up')
    const access = createLogin(http.server.address.url, keys)
    await access.enter(await newCode())
    expect(access.state.value).toMatchObject({ kind: 'in', identity: { subject: 'ben' } })
  })

  it('forgets a key that the server refuses, and says why', async () => {
    keys.write('bmp_made-up')
    const access = createLogin(http.server.address.url, keys)
    await access.enter()
    expect(access.state.value).toMatchObject({ kind: 'out', error: { code: 'unauthenticated' } })
    expect(keys.read()).toBeUndefined()
  })

  it('P5: keeps the key while the server can not be reached', async () => {
    keys.write('bmp_kept')
    const access = createLogin('http://127.0.0.1:1', keys)
    await access.enter()
    expect(access.state.value).toMatchObject({ kind: 'unsure', error: { code: 'unreachable' } })
    expect(keys.read()).toBe('bmp_kept')
  })
})
