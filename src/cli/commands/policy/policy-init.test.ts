import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from '../../fixtures/recording-terminal.ts'
import { runCommandLine } from '../../main.ts'
import { readPolicyTemplates } from '../../policy-templates.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'banksman-init-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: string[]) =>
  runInProcess(['policy', ...args], folder, { BANKSMAN_HOME: join(folder, 'home') })
const read = (name = 'banksman.yaml') => readFileSync(join(folder, name), 'utf8')
const names = readPolicyTemplates().map(({ name }) => name)

describe('policy init', () => {
  it('has the four ready-made policies', () => {
    expect(names).toEqual(['coding-agent', 'read-only-analyst', 'support-mailbox', 'two-person-deploys'])
  })

  it.each(names)(
    '%s: is written with its comments, has tests, and passes policy check without a warning',
    async (name) => {
      const { code, stdout, stderr } = await run('init', '--template', name)
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `${name} was written to ${join(folder, 'banksman.yaml')}\n`,
      })
      for (const next of ['banksman policy check', 'banksman trust', 'banksman start'])
        expect(stderr).toContain(next)
      expect(read()).toMatch(/^# .+\n/)
      const checked = await run('check')
      expect(checked).toMatchObject({ code: 0, stderr: '' })
      expect(checked.stdout).toMatch(/: no mistakes, ([5-9]|\d\d) tests passed\n$/)
      const printed = await run('init', '--template', name, '--print')
      expect(printed).toEqual({ code: 0, stdout: read(), stderr: '' })
      expect((await run('init', '--help')).stdout).toContain(name)
    },
  )

  it.each([
    ['a policy', 'policy: { mode: plan }\n', 'policy:'],
    ['the policy of another program', 'toolApprovalMode: all\n', 'toolApprovalMode:'],
    ['people of its own', 'people: { ana: {} }\n', 'people:'],
    ['text that is no YAML', 'policy: ["\n', ''],
    ['JSON, which nothing can be added to', '{"owner": "ana"}\n', ''],
  ])('P5: leaves a file alone that has %s', async (_, text, named) => {
    writeFileSync(join(folder, 'banksman.yaml'), text)
    const { code, stderr } = await run('init', '--template', 'two-person-deploys')
    expect(code).toBe(1)
    expect(stderr).toContain(named)
    expect(read()).toBe(text)
  })

  it('adds to a file that says nothing of it, and replaces one only when told', async () => {
    writeFileSync(join(folder, 'banksman.yaml'), 'owner: ana # mine')
    expect((await run('init', '--template', 'support-mailbox')).stdout).toContain('was added to')
    expect(read()).toMatch(/^owner: ana # mine\n\n# An agent at a support mailbox/)
    expect((await run('check')).code).toBe(0)
    expect((await run('init', '--template', 'coding-agent', '--force')).code).toBe(0)
    expect(read()).toBe(readPolicyTemplates()[0]!.text)
  })

  it('writes another file, and says for programs what it did', async () => {
    const { stdout } = await run('init', 'ops.yaml', '--template', 'coding-agent', '--json')
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      template: 'coding-agent',
      file: join(folder, 'ops.yaml'),
      written: 'new',
    })
    mkdirSync(join(folder, 'a-folder'))
    expect((await run('init', 'a-folder', '--template', 'coding-agent')).code).toBe(1)
  })

  it.each([
    [['init'], '--template'],
    [['init', '--template', 'coding-agnt'], 'did you mean coding-agent?'],
    [['init', 'x.yaml', '--template', 'coding-agent', '--print'], '--print'],
  ])('%j is not understood', async (args, words) => {
    const { code, stderr } = await run(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })

  it.each([
    ['2', 'read-only-analyst'],
    ['support-mailbox', 'support-mailbox'],
    ['', undefined],
    ['9', undefined],
    [undefined, undefined],
  ])('asks at a terminal: %j is %s', async (answer, name) => {
    const said: string[] = []
    const code = await runCommandLine(['policy', 'init'], {
      cwd: folder,
      environment: {},
      terminal: {
        isInteractive: true,
        columns: 80,
        locale: 'en',
        paint: (_, text) => text,
        print: (text) => void said.push(text),
        note: (text) => void said.push(text),
        ask: async () => answer,
        askSecret: async () => undefined,
      },
    })
    expect(said.join('\n')).toContain('two-person-deploys')
    expect(code === 0).toBe(name !== undefined)
    if (name === undefined) expect(() => read()).toThrow('ENOENT')
    else expect(read()).toBe(readPolicyTemplates().find((one) => one.name === name)?.text)
  })
})
