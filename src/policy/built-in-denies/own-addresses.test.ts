import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import type { Facts } from '../../core/verdict.ts'
import type { JudgedCall } from '../policy.ts'
import { createSubject } from '../subject/subject.ts'
import { compileCatalogue } from '../tools/catalogue.ts'
import { compileBuiltInDenies, type OwnHouse } from './compile-built-in-denies.ts'

const HOUSE: OwnHouse = { files: [], folders: [], addresses: ['127.0.0.1:4790'], program: 'banksman' }
const ADDRESS = 'built-in: own address'

describe('built-in denies: addresses', () => {
  it('P11: denies the own address in every form of this machine', () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      'localhost.',
      'app.localhost',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '0',
      '127.1',
      '127.0.1',
      '127.255.255.254',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '2130706433',
      'user:secret@127.0.0.1',
      'example.com@127.0.0.1',
      'host.docker.internal',
      '１２７.０.０.１',
      '127。0。0。1',
      'ⓛocalhost',
      'local\u00adhost',
      'local%68ost',
      '%31%32%37.0.0.1',
    ]) {
      expect(rule({ url: `http://${host}:4790/v1/requests` }), host).toBe(ADDRESS)
      expect(rule({ command: `curl -s ${host}:4790/v1` }, 'Bash'), host).toBe(ADDRESS)
    }
  })

  it('P11: denies it in other shapes too', () => {
    for (const args of [
      { url: 'http://127.0.0.1%3A4790/' },
      { url: 'http://127.0.0.1:04790/' },
      { url: 'http://local\nhost:4790/' },
      { url: 'http:\\\\127.0.0.1:4790\\v1' },
      { command: 'nc localhost 4790' },
      { command: 'nc -w 3 127.0.0.1 4790 < x' },
      { command: 'exec 3<>/dev/tcp/127.0.0.1/4790' },
      { command: 'ssh -L 9000:localhost:4790 host' },
      { command: 'socat - TCP:localhost:4790' },
      { command: 'http :4790/v1/requests' },
      { command: 'kill $(lsof -ti:4790)' },
      { command: 'fuser -k 4790/tcp' },
      { command: ['nc', 'localhost', '4790'] },
      { args: ['localhost', 4790] },
      { code: 's.connect(("127.0.0.1", 4790))' },
      { body: 'http://localhost:4790/' },
      { host: '127.0.0.1', port: 4790 },
      { host: '[::1]', port: '4790' },
      { server: { hostname: 'localhost', port: 4790 } },
      { port: 4790 },
      { options: '{"host":"localhost","port":4790}' },
    ] satisfies JsonObject[]) {
      expect(rule(args), JSON.stringify(args)).toBe(ADDRESS)
    }
  })

  it('lets pass other hosts, other ports and plain numbers', () => {
    for (const args of [
      { url: 'http://localhost:3000/' },
      { url: 'http://localhost:47900/' },
      { url: 'http://localhost:14790/' },
      { url: 'http://example.com:4790/' },
      { url: 'http://10.0.0.1:4790/' },
      { url: 'http://128.0.0.1:4790/' },
      { url: 'http://localhost.example.com:4790/' },
      { url: 'http://localhost:3000/users/4790' },
      { host: 'db.example.com', port: 4790 },
      { timeoutMs: 4790 },
      { command: 'head -n 4790 file' },
      { command: 'git show a4790b' },
      { reference: 'src/index.ts:4790' },
    ] satisfies JsonObject[]) {
      expect(rule(args), JSON.stringify(args)).toBeUndefined()
    }
  })

  it('P11: reads what the catalogue calls an address as browsers do', () => {
    for (const url of [
      'http:127.0.0.1:4790',
      'http:/localhost:4790/v1',
      'HTTP://LOCALHOST.:4790',
      'http://[::ffff:127.0.0.1]:4790',
      'http://[0:0::1]:4790',
      'http://0177.0.0.1:4790',
      'http://0x7f.1:4790',
      'http://127.1:00004790',
      'http://１２７.１:4790',
      'http://a:b@localhost:4790',
      'http://local\thost:47\n90/',
      ' http://localhost:4790 ',
      'ws://localhost:4790/v1/socket',
      'localhost:4790',
    ]) {
      expect(rule({ url }, 'WebFetch'), url).toBe(ADDRESS)
      expect(rule({ url }, 'fetch_url'), url).toBe(ADDRESS)
    }
    for (const url of [
      'http://localhost/users/4790',
      'https://example.com/?host=localhost&line=4790',
      'http://localhost.example.com:4790',
      'http://[::2]:4790',
    ]) {
      expect(rule({ url }, 'WebFetch'), url).toBeUndefined()
    }
  })

  it('P11: a store on another machine is ours with its own port, and this machine with that port is not', () => {
    const denies = deniesOf({
      ...HOUSE,
      addresses: ['127.0.0.1:4790', 'db.example:5432', '10.0.0.7:5432', '[fd00::7]:5432'],
    })
    const ruleOf = (args: JsonObject, tool = 'Bash') => denies({ tool, arguments: args, cwd: '/srv' })?.rule
    for (const command of [
      'psql postgres://me@db.example:5432/x',
      'psql -h db.example -p 5432',
      'psql -h 10.0.0.7 -p5432',
      'nc db.example 5432',
      'psql "host=db.example port=5432"',
      'echo x > /dev/tcp/10.0.0.7/5432',
      'psql postgres://[fd00::7]:5432/x',
      'nc localhost 4790',
    ])
      expect(ruleOf({ command }), command).toBe(ADDRESS)
    for (const command of [
      'psql postgres://me@localhost:5432/x',
      'psql -h localhost -p 5432',
      'nc 127.0.0.1 5432',
      'docker run -p 5432:5432 postgres',
      'psql postgres://me@other.example:5432/x',
      'curl http://db.example:4790/x',
    ])
      expect(ruleOf({ command }), command).toBeUndefined()
    expect(ruleOf({ host: 'db.example', port: 5432 }, 'tool')).toBe(ADDRESS)
    expect(ruleOf({ host: 'localhost', port: 5432 }, 'tool')).toBeUndefined()
    expect(ruleOf({ port: 5432 }, 'tool')).toBeUndefined()
    expect(ruleOf({ port: 4790 }, 'tool')).toBe(ADDRESS)
    expect(ruleOf({ url: 'http://db.example:5432' }, 'WebFetch')).toBe(ADDRESS)
  })

  it('takes port 0 for one that is not known yet', () => {
    const early = deniesOf({ ...HOUSE, addresses: ['127.0.0.1:0'] })
    expect(
      early({ tool: 't', arguments: { command: 'nc localhost 0 && sleep 10', port: 0 }, cwd: '/srv' }),
    ).toBeUndefined()
  })

  it('P11: an address on a default port needs no port to be named, and a public name is known', () => {
    const open = deniesOf({
      ...HOUSE,
      addresses: ['https://approvals.example.com', 'localhost:80'],
    })
    const ruleOf = (url: string) => open({ tool: 'fetch', arguments: { url }, cwd: '/srv' })?.rule
    expect(ruleOf('https://approvals.example.com/v1')).toBe(ADDRESS)
    expect(ruleOf('approvals.example.com')).toBe(ADDRESS)
    expect(ruleOf('https://approvals.example.com:443/v1')).toBe(ADDRESS)
    expect(ruleOf('http://localhost/v1')).toBe(ADDRESS)
    expect(ruleOf('http://[::1]/v1')).toBe(ADDRESS)
    expect(ruleOf('https://approvals.example.com./v1')).toBe(ADDRESS)
    const fetched = (url: string) => open({ tool: 'WebFetch', arguments: { url }, cwd: '/srv' })?.rule
    expect(fetched('http:0x7f.1')).toBe(ADDRESS)
    expect(fetched('https:approvals.example.com')).toBe(ADDRESS)
    expect(fetched('http:example.com')).toBeUndefined()
    expect(ruleOf('http://localhost:3000/v1')).toBeUndefined()
    expect(ruleOf('https://example.com/v1')).toBeUndefined()
  })
})

function rule(args: JsonObject, tool = 'tool'): string | undefined {
  return deniesOf(HOUSE)({ tool, arguments: args, cwd: '/srv/app' })?.rule
}

function deniesOf(house: OwnHouse) {
  const find = compileCatalogue({}).find
  const denies = compileBuiltInDenies(house)
  return (call: JudgedCall, facts?: Facts) => denies(createSubject(call, facts, find(call.tool)))
}
