import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfiguration } from '../configuration/configuration.ts'
import { trustFolder, writeTrusted } from '../configuration/trust.ts'
import { type Server, startServer } from '../start-server.ts'
import { hostsOf, ownAddresses } from './own-addresses.ts'

const home = mkdtempSync(join(tmpdir(), 'banksman-names-'))
let server: Server | undefined
afterAll(async () => {
  await server?.close()
  rmSync(home, { recursive: true, force: true })
})

it('P11: no agent may name this machine with our port, nor a name of ours with the usual ones', () => {
  expect(ownAddresses(hostsOf('10.0.0.5', 4790), ['approvals.example', 'a.example:8443'])).toEqual([
    '10.0.0.5:4790',
    '127.0.0.1:4790',
    'http://approvals.example',
    'https://approvals.example',
    'a.example:8443',
  ])
})

it('a server answers to the names that it was told, and to no other', async () => {
  const environment = { BANKSMAN_HOME: join(home, 'home'), HOME: home }
  const file = join(home, 'banksman.yaml')
  const text = 'names: [Approvals.example]\n'
  writeFileSync(file, text)
  writeTrusted(trustFolder(environment), file, text, 'ana', 1)
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data: join(home, 'data'),
    configuration: file,
    environment,
    report: ({ error }) => {
      throw error
    },
    say: () => {},
  })
  const { url, gateway, self } = server
  const { secret } = await gateway.tokens.create({ role: 'admin', subject: 'ana' }, self)
  const ask = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${url}/v1/me`, { headers: { authorization: `Bearer ${secret}`, ...headers } })
      asked.on('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.on('error', reject)
      asked.end()
    })
  expect(await ask({})).toBe(200)
  expect(await ask({ host: 'approvals.example' })).toBe(200)
  expect(await ask({ host: 'approvals.example', origin: 'https://approvals.example' })).toBe(200)
  expect(await ask({ host: 'evil.example' })).toBe(421)
  expect(await ask({ host: 'approvals.example', origin: 'https://evil.example' })).toBe(403)
  const { verdict } = await gateway.explain(
    { tool: 'WebFetch', arguments: { url: 'https://approvals.example/v1' }, callId: 'c', session: 's' },
    self,
  )
  expect(verdict.kind).toBe('deny')
})

it.each(['https://a.example', 'a example', 'a.example:99999x', '*.example', ''])('%s is no name', (name) => {
  expect(() => readConfiguration(`names: [${JSON.stringify(name)}]\n`, '/x/banksman.yaml', 'ana')).toThrow(
    /must be a host as browsers name it/,
  )
})
