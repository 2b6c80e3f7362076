import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { directoryOf } from '../composition/directory.ts'
import { readConfiguration } from './configuration.ts'
import { createConfigurationSource } from './configuration-source.ts'
import { forgetTrusted, readTrusted, trustFolder, writeTrusted } from './trust.ts'

const read = (text: string) => readConfiguration(text, 'banksman.yaml', 'me')

describe('banksman.yaml', () => {
  it('is read', () => {
    const configuration = read(`
owner: ana
people:
  ana: { groups: [sre] }
  ben:
retention: 7d
expiresIn: 15m
runWithin: 3h
journal: { checkpoints: /mnt/elsewhere/checkpoints.ndjson }
policy:
  mode: dontAsk
  allow: ["read_*"]
`)
    expect(configuration).toMatchObject({
      owner: 'ana',
      retentionMs: 7 * 86_400_000,
      expiresInMs: 900_000,
      runWithinMs: 3 * 3_600_000,
      checkpointFile: '/mnt/elsewhere/checkpoints.ndjson',
      policyBlock: { mode: 'dontAsk', allow: ['read_*'] },
    })
    expect([...configuration.people]).toEqual([
      ['ana', { groups: ['sre'] }],
      ['ben', { groups: [] }],
    ])
  })

  it.each(['59s', '8d'])('refuses to wait %s for a report', (time) => {
    expect(() => read(`runWithin: ${time}`)).toThrow('must be at least 1m and at most 7d')
  })

  it('may be empty: then everything is asked, and the default owner owns it', () => {
    expect(read('')).toMatchObject({ owner: 'me', policyBlock: {}, retentionMs: 30 * 86_400_000 })
  })

  it('P5: what is not understood is refused as a whole, with its place and what would be right', () => {
    const wrong: [text: string, line: number, column: number, says: RegExp][] = [
      ['policy:\n  denny: ["x"]\n', 2, 3, /did you mean "?deny/],
      ['polcy:\n  deny: ["x"]\n', 1, 1, /did you mean policy/],
      ['policy:\n  mode: yolo\n', 2, 3, /default, acceptEdits, plan, dontAsk, bypass/],
      ['policy:\n  deny: everything\n', 2, 3, /must be a list/],
      ['policy:\n  deny:\n    - 7\n', 3, 7, /tool's name/],
      ['people:\n  ana: { group: [sre] }\n', 2, 10, /did you mean groups/],
      ['people:\n  "a b": {}\n', 2, 3, /name/],
      ['retention: forever\n', 1, 1, /number with a unit/],
      ['modes: [bypass, plan]\n', 1, 17, /acceptEdits/],
      ['modes: bypass\n', 1, 1, /list/],
      ['policy:\n  allow: ["a"\n', 3, 1, /./],
      ['policy: {}\npolicy: {}\n', 2, 1, /unique/],
      ['policy:\n\tallow: []\n', 2, 1, /./],
      ['- a\n- b\n', 1, 1, /the file must be a list of keys/],
      ['people:\n  ana: [sre]\n', 2, 3, /\{ groups: \[approvers\] \}/],
    ]
    for (const [text, line, column, says] of wrong) {
      const error = caught(() => read(text))
      expect(error.message, text).toMatch(says)
      expect(error.message).toContain(`banksman.yaml:${line}:`)
      expect(error.details, text).toMatchObject({ line, column })
      expect(error.code).toMatch(/^invalid_/)
    }
  })

  it('P5: bypass may be set only where it is named', () => {
    expect(read('').modes).toEqual(['acceptEdits'])
    expect(read('modes: []\n').modes).toEqual([])
    expect(read('modes: [acceptEdits, bypass]\n').modes).toEqual(['acceptEdits', 'bypass'])
  })

  it('Web Push is off unless it is switched on, and then needs a contact', () => {
    const on = 'push: { on: true, contact: "mailto:ops@example.org" }\n'
    const push = (text: string) => read(text).channels.find(({ key }) => key === 'push')?.options
    expect([push(''), push('push: {}\n'), push(on.replace('true', 'false'))]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(push(on)).toEqual({ contact: 'mailto:ops@example.org', services: [], afterMs: 5000 })
    expect(
      push('push: { on: true, contact: "https://example.org/ops", after: 1m, services: ["127.0.0.1:8090"] }'),
    ).toEqual({ contact: 'https://example.org/ops', services: ['127.0.0.1:8090'], afterMs: 60_000 })
    for (const [text, says] of [
      ['push: { on: true }', /1:1: push needs a contact/],
      ['push: { on: true, contact: ops@example.org }', /mailto:ops@example.org/],
      ['push: { on: yes, contact: "mailto:a@b" }', /boolean/],
      ['push: { services: ["https://push.example.org"] }', /must be a host/],
      ['push: { services: ["*"] }', /must be a host/],
      ['push: { after: 2h }', /at most 1h/],
      ['push: { conact: "mailto:a@b" }', /did you mean contact/],
    ] as const) {
      expect(() => read(text), text).toThrow(says)
    }
  })

  it('a bomb of aliases is refused', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcde'[index]}`).join(',')}]`).join('\n')}\n`
    expect(() => read(bomb)).toThrow()
  })
})

describe('trust', () => {
  let folder: string
  let file: string
  let trusted: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'banksman-trust-'))
    file = join(folder, 'banksman.yaml')
    trusted = join(folder, 'home', 'trusted')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const source = () => createConfigurationSource({ file, trustFolder: trusted, defaultOwner: 'me' })

  it('P11: a file that nobody has trusted has no effect: everything is asked', () => {
    writeFileSync(file, 'policy: { mode: bypass }\n')
    const found = source()
    expect(found.current().policyBlock).toEqual({})
    expect(found.status()).toEqual({ kind: 'untrusted', holding: 'built_in' })
  })

  it('P11: a changed file waits for a person while the last trusted text holds', () => {
    writeFileSync(file, 'policy: { mode: dontAsk }\n')
    writeTrusted(trusted, file, 'policy: { mode: dontAsk }\n', 'ana', 1)
    const found = source()
    expect(found.status()).toEqual({ kind: 'trusted' })
    writeFileSync(file, 'policy: { mode: bypass }\n')
    expect(found.refresh()).toBe(false)
    expect(found.current().policyBlock).toEqual({ mode: 'dontAsk' })
    expect(found.status()).toEqual({ kind: 'untrusted', holding: 'last_trusted' })
    writeTrusted(trusted, file, 'policy: { mode: bypass }\n', 'ana', 2)
    expect(found.refresh()).toBe(true)
    expect(found.current().policyBlock).toEqual({ mode: 'bypass' })
  })

  it('P11: removing the file does not remove what was trusted', () => {
    writeTrusted(trusted, file, 'policy: { deny: ["*"] }\n', 'ana', 1)
    expect(source().current().policyBlock).toEqual({ deny: ['*'] })
  })

  it('P11: what a person no longer trusts holds no longer, also where it runs, whatever is in the file', () => {
    writeFileSync(file, 'policy: { mode: bypass }\n')
    writeTrusted(trusted, file, 'policy: { mode: bypass }\n', 'ana', 1)
    const found = source()
    expect(found.refresh()).toBe(false)
    forgetTrusted(trusted, file)
    writeFileSync(file, 'polici: [')
    expect(found.refresh()).toBe(true)
    expect(found.current().policyBlock).toEqual({})
    expect(found.status()).toEqual({ kind: 'untrusted', holding: 'built_in' })
    expect(() => source()).toThrow(/banksman\.yaml:1:/)
  })

  it('an empty file can be trusted too', () => {
    writeFileSync(file, '')
    const found = source()
    writeTrusted(trusted, file, '', 'ana', 1)
    expect(found.refresh()).toBe(true)
    expect(found.status()).toEqual({ kind: 'trusted' })
  })

  it('P5: a record that was tampered with counts as none', () => {
    const record = writeTrusted(trusted, file, 'policy: { mode: dontAsk }\n', 'ana', 1)
    expect(readTrusted(trusted, file)).toEqual(record)
    const other = join(folder, 'other.yaml')
    expect(readTrusted(trusted, other)).toBeUndefined()
    for (const bad of [{ ...record, text: 'policy: { mode: bypass }\n' }, { ...record, file: other }, 'x']) {
      writeTrusted(trusted, file, record.text, 'ana', 1)
      overwrite(trusted, bad)
      expect(readTrusted(trusted, file)).toBeUndefined()
    }
  })

  it('is kept outside the workspace', () => {
    expect(trustFolder({ BANKSMAN_HOME: '/somewhere' })).toBe('/somewhere/trusted')
    expect(trustFolder({ XDG_CONFIG_HOME: '/x' })).toBe('/x/banksman/trusted')
    expect(trustFolder({})).toMatch(/\.config\/banksman\/trusted$/)
  })
})

describe('the directory', () => {
  it('P6: is made of the configuration and of live tokens of people', () => {
    const token = (subject: string, parts: object) => ({
      id: subject,
      secretHash: '',
      namespace: 'default',
      createdAt: 0,
      createdBy: 'x',
      use: 'bearer' as const,
      subject,
      role: 'approver' as const,
      ...parts,
    })
    const { owner, people } = directoryOf(
      read('owner: ana\npeople: { ben: { groups: [sre] } }\n'),
      [
        token('ben', {}),
        token('cleo', {}),
        token('gone', { revokedAt: 5 }),
        token('late', { expiresAt: 100 }),
        token('robot', { role: 'agent' }),
        token('code', { use: 'login' }),
      ],
      100,
    )
    expect(owner).toBe('ana')
    expect([...people]).toEqual([
      ['ben', { groups: ['approvers', 'sre'] }],
      ['cleo', { groups: ['approvers'] }],
    ])
  })
})

function overwrite(trusted: string, value: unknown): void {
  for (const name of readdirSync(trusted)) writeFileSync(join(trusted, name), JSON.stringify(value))
}

function caught(work: () => unknown): { message: string; code: string; details: object } {
  try {
    work()
  } catch (error) {
    return error as { message: string; code: string; details: object }
  }
  throw new Error('nothing was thrown')
}
