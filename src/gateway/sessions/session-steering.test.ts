import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { compilePolicy, type PolicyBlock } from '../../policy/index.ts'
import { createFactsGatherer } from '../../server/facts/gather-facts.ts'
import {
  aCall,
  agent,
  ana,
  openTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../fixtures/test-gateway.ts'

const setups: TestGateway[] = []
const folders: string[] = []
afterEach(async () => {
  for (const setup of setups.splice(0)) await setup.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A gateway over a folder of its own, which facts are gathered from. */
async function open(block: PolicyBlock, parts: Partial<TestGatewayOptions> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-steered-')))
  folders.push(folder)
  const policy = compilePolicy(block, { roots: [folder], home: homedir() })
  const gatherFacts = createFactsGatherer({ lookups: policy.lookups, now: Date.now, home: homedir() })
  const setup = await openTestGateway({ policy, gatherFacts, ...parts })
  setups.push(setup)
  return { setup, folder, ...verbs(setup, folder) }
}

function verbs(setup: TestGateway, folder: string) {
  const review = (tool: string, args: object, more: object = {}) =>
    setup.gateway.review(aCall({ tool, arguments: args as never, cwd: folder, ...more }), agent)
  return {
    review,
    bash: async (command: string, more?: object) => (await review('Bash', { command }, more)).verdict.kind,
    write: async (path: string, more?: object) =>
      (await review('Write', { file_path: join(folder, path), content: 'x' }, more)).verdict.kind,
  }
}

const accepting: PolicyBlock = { extends: 'banksman:starter', mode: 'acceptEdits' }

describe('files that become instructions', () => {
  it('P11: a bare repository can not be written by allowed calls, and git really would run what it names', async () => {
    const { folder, write, bash } = await open(accepting)
    const files = {
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ran; false"\n`,
      'objects/keep': '',
      'refs/keep': '',
    }
    for (const path of Object.keys(files)) expect(await write(path), path).toBe('ask')
    for (const path of Object.keys(files)) expect(await bash(`echo x > ${path}`), path).toBe('ask')
    // What would happen if they had been written.
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    execFileSync('git', ['status'], { cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH } })
    expect(existsSync(join(folder, 'ran'))).toBe(true)
  })

  it('a repository that an archive may have brought has git asked about', async () => {
    const { bash, write } = await open({ ...accepting, allow: ['Bash(tar *)'] })
    expect(await bash('git status')).toBe('allow')
    expect(await write('src/a.ts')).toBe('allow')
    expect(await bash('git status')).toBe('allow')
    expect(await bash('tar xf evil.tar')).toBe('allow')
    expect(await bash('git status')).toBe('ask')
    expect(await bash('ls')).toBe('allow')
  })

  it.each([
    ['Bash(git checkout *)', 'git checkout other'],
    ['Bash(npm install *)', 'npm install'],
    ['Bash(cp *)', 'cp -r template/. .'],
    ['Bash(*)', 'brings-files'],
  ])('%s allows %s, and programs that read settings are asked about afterwards', async (rule, command) => {
    const { bash } = await open({ extends: 'banksman:starter', rules: [only(rule)] })
    expect(await bash(command)).toBe('allow')
    for (const each of ['git log', 'npm ls', 'biome check .', 'ruff check .'])
      expect(await bash(each), each).toBe('ask')
  })

  it('tests and builds that a rule allows count against nothing', async () => {
    const { bash } = await open({ extends: 'banksman:starter', allow: ['Bash(npm test *)', 'Bash(make *)'] })
    expect(await bash('npm test')).toBe('allow')
    expect(await bash('make')).toBe('allow')
    expect(await bash('git status')).toBe('allow')
  })

  it('what a person approved does not count, and what a grant lets through does', async () => {
    const { setup, review, bash } = await open({ extends: 'banksman:starter' })
    const first = await review('Bash', { command: 'tar xf a.tar' })
    const { id, digest } = first.request!
    await setup.gateway.decide(id, { decision: 'approve', digest, scope: 'session' }, ana)
    expect(await bash('git status')).toBe('allow')
    expect(await bash('tar xf a.tar')).toBe('allow')
    expect(await bash('git status')).toBe('ask')
  })

  it('a setting that a rule lets git write counts for git alone', async () => {
    const { bash } = await open({ extends: 'banksman:starter', allow: ['Bash(git config *)'] })
    expect(await bash('git config core.fsmonitor ./evil')).toBe('allow')
    expect(await bash('git status')).toBe('ask')
    expect(await bash('npm ls')).toBe('allow')
  })

  it('an everyday edit of a project counts for the tools that read it', async () => {
    const { bash, write } = await open(accepting)
    expect(await bash('ruff check --no-fix .')).toBe('allow')
    expect(await write('pyproject.toml')).toBe('allow')
    expect(await bash('ruff check --no-fix .')).toBe('ask')
    expect(await bash('git status')).toBe('allow')
  })

  it('a child counts for its parent and siblings, and a stranger for nobody', async () => {
    const { bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    await bash('ls', { session: 'top' })
    await bash('ls', { session: 'left', parentSession: 'top' })
    await bash('ls', { session: 'right', parentSession: 'top' })
    expect(await bash('tar xf a.tar', { session: 'deep', parentSession: 'left' })).toBe('allow')
    for (const session of ['top', 'left', 'right', 'deep'])
      expect(await bash('git status', { session }), session).toBe('ask')
    expect(await bash('git status', { session: 'new', parentSession: 'right' })).toBe('ask')
    expect(await bash('git status', { session: 'stranger' })).toBe('allow')
  })

  it('a session that names its parent later hands on what its children wrote', async () => {
    const { bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    expect(await bash('tar xf a.tar', { session: 'child', parentSession: 'middle' })).toBe('allow')
    expect(await bash('ls', { session: 'middle', parentSession: 'top' })).toBe('allow')
    for (const session of ['top', 'middle', 'child'])
      expect(await bash('git status', { session }), session).toBe('ask')
    expect(await bash('git status', { session: 'sibling', parentSession: 'top' })).toBe('ask')
  })

  it('counts for those above it however deep it is', async () => {
    const { bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    await bash('ls', { session: 's0' })
    for (let at = 1; at < 50; at++) await bash('ls', { session: `s${at}`, parentSession: `s${at - 1}` })
    expect(await bash('tar xf a.tar', { session: 's49' })).toBe('allow')
    for (const session of ['s0', 's10', 's48'])
      expect(await bash('git status', { session }), session).toBe('ask')
  })

  it('a later call that does not name the parent again does not lose it', async () => {
    const { setup, bash } = await open({ extends: 'banksman:starter' })
    expect(await bash('ls', { session: 'child', parentSession: 'top' })).toBe('allow')
    // A request is committed at once, before what is written behind.
    expect(await bash('make', { session: 'child' })).toBe('ask')
    expect(await setup.store.sessions.get('child')).toMatchObject({ parent: 'top' })
  })

  it('counts on a node that the session in between is not written to yet', async () => {
    const { setup, folder, bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    expect(await bash('ls', { session: 'middle', parentSession: 'top' })).toBe('allow')
    // As kill -9 would: the session was written behind, and is lost.
    const again = await setup.restart()
    setups.splice(0, setups.length, again)
    const there = verbs(again, folder)
    expect(await there.bash('tar xf a.tar', { session: 'child', parentSession: 'middle' })).toBe('allow')
    expect(await there.bash('git status', { session: 'top' })).toBe('ask')
    await expect(there.bash('ls', { session: 'middle', parentSession: 'other' })).rejects.toMatchObject({
      code: 'call_conflict',
    })
  })

  it('outlives a restart, and is committed before the call is let through', async () => {
    const { setup, folder, bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    expect(await bash('tar xf a.tar')).toBe('allow')
    // As kill -9 would: what is written behind is lost.
    const again = await setup.restart()
    setups.splice(0, setups.length, again)
    expect(await verbs(again, folder).bash('git status')).toBe('ask')
  })

  it('P5: where the store can not say what was written, nothing is vouched for; where it can not be written down, nothing runs', async () => {
    let failing = false
    const { bash } = await open(
      { extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] },
      {
        wrap: (store) => ({
          ...store,
          now: () => store.now(),
          settings: {
            get: (key) => (failing ? Promise.reject(new Error('away')) : store.settings.get(key)),
            set: (...given) => store.settings.set(...given),
            change: (...given) =>
              failing ? Promise.reject(new Error('away')) : store.settings.change(...given),
          },
        }),
      },
    )
    expect(await bash('git status')).toBe('allow')
    failing = true
    expect(await bash('git status')).toBe('ask')
    await expect(bash('tar xf a.tar')).rejects.toThrow('away')
    // The same again finds no record of its having been let through.
    await expect(bash('tar xf a.tar', { callId: 'again' })).rejects.toThrow('away')
    failing = false
    expect(await bash('tar xf a.tar', { callId: 'again' })).toBe('allow')
    expect(await bash('git status')).toBe('ask')
  })

  it('costs ordinary calls no look into the store', async () => {
    const looked: string[] = []
    const { bash, write } = await open(accepting, {
      wrap: (store) => ({
        ...store,
        now: () => store.now(),
        settings: {
          ...store.settings,
          get: (key) => {
            looked.push(key)
            return store.settings.get(key)
          },
        },
      }),
    })
    looked.length = 0
    expect(await bash('ls')).toBe('allow')
    expect(await bash('cat src/a.ts && wc -l src/a.ts')).toBe('allow')
    expect(await write('src/a.ts')).toBe('allow')
    expect(looked.filter((key) => /^(?:steered|started-by)\//.test(key))).toEqual([])
  })

  it('many at once leave nothing out', async () => {
    const { bash } = await open({
      extends: 'banksman:starter',
      allow: ['Bash(git config *)', 'Bash(npm config *)'],
    })
    const commands = Array.from({ length: 20 }, (_, at) =>
      at % 2 === 0 ? 'git config a b' : 'npm config set a b',
    )
    await Promise.all(commands.map((command) => bash(command)))
    expect(await bash('git status')).toBe('ask')
    expect(await bash('npm ls')).toBe('ask')
  })

  it('is told where the policy is explained', async () => {
    const { setup, folder, bash } = await open({ extends: 'banksman:starter', allow: ['Bash(tar xf a.tar)'] })
    await bash('tar xf a.tar', { session: 'told' })
    const call = aCall({ tool: 'Bash', arguments: { command: 'git status' }, cwd: folder, session: 'told' })
    const explanation = await setup.gateway.explain(call, ana)
    expect(explanation.verdict.kind).toBe('ask')
    expect(explanation.commands?.[0]?.because).toContain('it reads configuration files')
  })
})

function only(rule: string) {
  const command = /\((.*)\)/.exec(rule)?.[1] ?? ''
  // A rule for all commands would allow the readers too, which then need no vouching.
  if (command === '*')
    return { name: 'some', when: { tool: 'Bash', command: 'brings-files *' }, then: 'allow' as const }
  return { name: 'some', when: { tool: 'Bash', command }, then: 'allow' as const }
}
