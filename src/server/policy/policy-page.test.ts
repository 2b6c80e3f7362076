import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digestOf } from '../../core/digest.ts'
import { makePolicyServer, type PolicyServer } from './fixtures/policy-server.ts'

let setup: PolicyServer
beforeEach(() => {
  setup = makePolicyServer()
})
afterEach(() => setup.close())

const FIRST = 'policy:\n  allow: [look]\n'
const NEXT = 'policy:\n  allow: [look, deploy]\n'

describe('what people are told of the policy', () => {
  it('a trusted file: its text, its warnings and its tests with their places', async () => {
    const text = [
      'tools:',
      '  run_sql: { kind: network, url: /server }',
      'policy:',
      '  mode: plan',
      '  allow: [look, look]',
      '  tests:',
      '    - { call: { tool: look, arguments: { at: moon } }, verdict: allow }',
      '    - { call: { tool: look, arguments: { at: moon } }, verdict: deny }',
      '',
    ].join('\n')
    setup.trust(text)
    await setup.start()
    const policy = await setup.as('ben').policy()
    expect(policy).toMatchObject({ source: 'file', status: 'trusted', file: setup.file, text, mode: 'plan' })
    expect(policy).not.toHaveProperty('changed')
    expect(policy.modes).toEqual(['default', 'acceptEdits', 'plan', 'dontAsk', 'bypass'])
    expect(policy.warnings).toContainEqual({
      message: 'allow: "look" is there twice',
      pointer: '/allow/1',
      line: 5,
      column: 17,
    })
    expect(policy.tests).toEqual({
      passed: 1,
      failed: [
        {
          call: 'look: at=moon',
          expected: 'deny',
          found: 'allow. Allowed: `look` is on the allow list.',
          line: 8,
        },
      ],
    })
    expect(policy.tools[0]).toEqual({ name: 'run_sql', kind: 'network', argument: 'server' })
    expect(policy.tools).toContainEqual({ name: 'Bash', kind: 'shell', argument: 'command' })
    expect(policy.version).toBe((await setup.applied())[0]!.policy)
  })

  it('a changed file: its gaps before anybody applies it, by its own people and those who hold tokens', async () => {
    setup.trust(FIRST)
    await setup.start()
    const rule = (approvers: string, quorum: number) =>
      `people: { cleo: { groups: [sre] } }\npolicy:\n  rules:\n    - { name: r, when: { tool: x }, then: ask, approvers: ${approvers}, quorum: ${quorum} }\n`
    setup.write(rule('[ben, cloe, group:sre]', 3))
    const { changed, warnings } = await setup.as('ana').policy()
    expect(changed?.warnings).toEqual([
      expect.objectContaining({ line: 4, message: expect.stringContaining('did you mean "cleo"?') }),
      expect.objectContaining({
        line: 4,
        message: expect.stringContaining('only 2 people may approve: ben, cleo'),
      }),
    ])
    expect(warnings.map(({ message }) => message)).not.toContainEqual(expect.stringContaining('cloe'))
    const applied = await setup.as('ana').applyPolicy({ digest: changed!.digest })
    expect(applied.warnings).toEqual(changed?.warnings)
    const long = `policy:\n  allow: [${Array.from({ length: 1100 }, (_, index) => `t${index}`)}]\n`
    setup.write(long)
    expect((await setup.as('ana').policy()).changed?.warnings).toMatchObject([
      { message: expect.stringContaining('too long to be looked through here') },
    ])
    setup.write(rule('[ben, cleo]', 2))
    expect((await setup.as('ana').policy()).changed).not.toHaveProperty('warnings')
  })

  it('a changed file: every mistake in it', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write('polici: {}\npolicy:\n  mode: plann\n')
    const { changed } = await setup.as('ana').policy()
    expect(changed?.mistake?.split('\n')).toEqual([
      expect.stringMatching(/^line 1, column 1: unknown key "polici"/),
      expect.stringMatching(/^line 3, column 3: unknown mode "plann"/),
    ])
    await expect(setup.as('ana').applyPolicy({ digest: changed!.digest })).rejects.toMatchObject({
      status: 422,
    })
  })

  it('places what differs in another program’s settings', async () => {
    setup.trust('permissions:\n  deny: [WebSearch]\n  allow: ["*"]\n')
    await setup.start()
    const { warnings } = await setup.as('ben').policy()
    expect(warnings.map(({ line }) => line)).toContain(3)
  })

  it('without a file: that everything is asked, as a text that can be read', async () => {
    await setup.start()
    const policy = await setup.as('ben').policy()
    expect(policy).toMatchObject({ source: 'built_in', status: 'absent', file: setup.file, mode: 'default' })
    expect(policy.text).toMatch(
      /^# The policy of .* every call needs approval\.\npolicy:\n {2}mode: default\n$/,
    )
    expect(await setup.as('ben').replay({ text: policy.text })).toMatchObject({ calls: 0 })
  })

  it('the demonstration’s, and the pet’s after the text of the file', async () => {
    await setup.start({ policy: { mode: 'default', allow: ['read_file'] } })
    const demonstration = await setup.as('ben').policy()
    expect(demonstration).toMatchObject({ source: 'demonstration', status: 'absent' })
    expect(demonstration.text).toContain('allow:\n    - read_file')
    setup.trust('pet: {}\n')
    await setup.start()
    const pet = await setup.as('ben').policy()
    expect(pet).toMatchObject({ source: 'pet', status: 'trusted' })
    expect(pet.text).toMatch(/^pet: \{\}\n\n# The policy of the pet channel/)
    expect(pet).not.toHaveProperty('changed')
    expect(
      (await setup.as('ben').explain({ tool: 'read_file', arguments: {}, text: pet.text })).verdict.kind,
    ).toBe('allow')
  })

  it('the text in the file where it is not what holds, with what is wrong with it', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(NEXT)
    expect(await setup.as('ben').policy()).toMatchObject({
      status: 'untrusted',
      text: FIRST,
      changed: { text: NEXT, digest: digestOf(NEXT) },
    })
    setup.write('policy:\n  alow: [x]\n')
    const { changed } = await setup.as('ana').policy()
    expect(changed).toMatchObject({ text: 'policy:\n  alow: [x]\n' })
    expect(changed?.mistake).toMatch(/^line 2, column 3: .*alow/)
    rmSync(setup.file)
    const gone = await setup.as('ben').policy()
    expect(gone).toMatchObject({ status: 'gone', text: FIRST })
    expect(gone).not.toHaveProperty('changed')
  })

  it('P9: secrets are masked in both texts, and one that was swapped is seen', async () => {
    const [before, after] = ['a1B2', 'c3D4'].map((part) => `ghp_${part.repeat(9)}`)
    const withKey = (key: string) =>
      `agent:\n  model: { provider: anthropic, model: m, headers: { x-key: ${key} } }\npolicy: { allow: [look] }\n`
    setup.trust(withKey(before!))
    await setup.start({ environment: { ...setup.environment, ANTHROPIC_API_KEY: 'k' } })
    setup.write(withKey(after!))
    const policy = await setup.as('ana').policy()
    const whole = JSON.stringify(policy)
    expect(whole).not.toContain(before)
    expect(whole).not.toContain(after)
    expect(policy.text).toContain('⟨masked: GitHub token, 40 characters⟩')
    expect(policy.changed?.text).toContain('⟨masked: GitHub token #2, 40 characters⟩')
    // What was shown can be tried out, and gives nobody the secret.
    expect(await setup.as('ben').replay({ text: policy.text })).toMatchObject({ calls: 0 })
    const asked = policy.text.replace(
      '{ allow: [look] }',
      '{ ask: [x], reason: "⟨masked: GitHub token, 40 characters⟩" }',
    )
    const { verdict } = await setup.as('ben').explain({ tool: 'x', arguments: {}, text: asked })
    expect(verdict.because).toContain('masked')
    expect(verdict.because).not.toContain(before)
  })

  it('P9: what can’t be seen in a changed text is written out', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write('policy:\n  deny: ["x\u202e"]\n')
    expect((await setup.as('ana').policy()).changed?.text).toContain('⟨U+202E RLO⟩')
  })

  it('a link to another file shows it to no approver', async () => {
    setup.trust(FIRST)
    await setup.start()
    const secret = join(setup.folder, 'diary.txt')
    writeFileSync(secret, 'dear diary\n')
    rmSync(setup.file)
    symlinkSync(secret, setup.file)
    expect((await setup.as('ben').policy()).changed).toMatchObject({ text: '', mistake: expect.any(String) })
    expect(JSON.stringify(await setup.as('ben').policy())).not.toContain('dear diary')
  })

  it.each([
    ['only comments', '# dear diary\n# 4 8 15 16\n'],
    ['comments around nothing', '# dear diary\n--- # dear diary\n{} # dear diary\n'],
    ['nothing with a comment', '~ # dear diary\n'],
  ])('a link to a file that sets nothing shows it to no approver: %s', async (_, text) => {
    setup.trust(FIRST)
    await setup.start()
    const secret = join(setup.folder, 'diary.txt')
    writeFileSync(secret, text)
    rmSync(setup.file)
    symlinkSync(secret, setup.file)
    const told = await setup.as('ben').policy()
    expect(told).toMatchObject({ status: 'untrusted', changed: { text: '', digest: digestOf(text) } })
    expect(JSON.stringify(told)).not.toContain('dear diary')
    // It can hold, and who may say so sees what they say it of.
    expect((await setup.as('ana').policy()).changed).toEqual({ text, digest: digestOf(text) })
  })

  it('what is no text, or no file, is a mistake and nothing else', async () => {
    setup.trust(FIRST)
    await setup.start()
    setup.write(Buffer.from([0x70, 0xff]))
    expect((await setup.as('ana').policy()).changed).toEqual({
      text: '',
      digest: '',
      mistake: 'it is not UTF-8 text',
    })
    setup.write(`# ${'x'.repeat(600_000)}\n`)
    expect((await setup.as('ana').policy()).changed?.mistake).toMatch(/^it is 600003 bytes long/)
    await expect(setup.as('ana').applyPolicy({ digest: '' })).rejects.toMatchObject({
      code: 'invalid_configuration',
    })
    expect(setup.trusted()?.text).toBe(FIRST)
  })

  it('P11: an agent is told nothing of it', async () => {
    await setup.start()
    await expect(setup.as('bot').policy()).rejects.toMatchObject({ code: 'forbidden' })
  })
})
