/**
 * The steps that a line takes, counted by the engine: how often each block of our sources ran. No reader can forget to
 * count, and no clock is asked. The lines repeat what one program takes, at 25, 50, 75 and 99 % of each limit.
 */
import { describe, expect, it } from 'vitest'
import { POLICY } from '../../scripts/fuzz/policy.ts'
import { anyLine } from '../../scripts/fuzz/program-lines.ts'
import { seededRandom } from '../../scripts/fuzz/random.ts'
import { build, type Recipe } from '../../scripts/fuzz/recipe.ts'
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { lexicalFacts } from '../../src/policy/subject/lexical-facts.ts'
import { countBlocks } from '../fixtures/count-blocks.ts'

/** The dearest line that people write, three thousand paths for `git add`, takes some 10 million. */
const MOST_BLOCKS = 20_000_000
const LINES = 60

const ownHouse = {
  files: ['/srv/banksman.yaml'],
  folders: ['/srv/data'],
  addresses: ['127.0.0.1:4790'],
  program: 'banksman',
}
/** With the files of coding agents, as a server has it. */
const policy = compilePolicy(POLICY, {
  roots: ['/srv/work'],
  home: '/home/ana',
  ownHouse: { ...ownHouse, agents: { homes: ['/home/ana'], environment: {} } },
})
const blocksOf = countBlocks(/\/src\//)

function judge(line: Recipe) {
  const call = { tool: 'Bash', arguments: { command: String(build(line)) }, cwd: '/srv/work' }
  const facts = lexicalFacts(policy, call, { home: '/home/ana', at: 0 })
  policy.steering(call, facts)
  return policy.evaluate(call, facts, { mode: 'bypass' })
}

describe('P5: what a line costs', () => {
  const seed = Number(process.env.BANKSMAN_SEED ?? Math.floor(Math.random() * 1e9))

  it(`is bounded whatever a program is given, at any share of a limit (BANKSMAN_SEED=${seed})`, async () => {
    for (let at = 0; at < LINES; at++) {
      const line = anyLine(seededRandom(seed + at))
      expect(await blocksOf(() => judge(line)), `seed ${seed + at}: ${JSON.stringify(line)}`).toBeLessThan(
        MOST_BLOCKS,
      )
    }
  })

  const times = (piece: string, count: number, tail = '', head = ''): Recipe => ({
    $join: [head, { $number: piece, times: count }, tail],
  })

  it.each<[string, Recipe]>([
    ['containers in containers', times('docker run ', 40, 'x')],
    ['containers in containers, many', times('docker run x ', 990, 'x')],
    ['containers that exec', times('docker exec a ', 990, 'x')],
    ['pods in pods', times('kubectl exec a -- ', 740, 'x')],
    ['options that nobody knows', times('--a=b ', 2960, '', 'git log ')],
    ['options of a script runner', times('--a=b ', 2960, '', 'npm run ')],
    ['paths that a copy reads', times('a# ', 2960, '', 'cp ')],
    ['denied paths', times('.env# ', 2960, '', 'cat ')],
    ['runners that may run a client', times('uv run curl ', 980)],
    ['words that nobody knows the use of', times('.env# ', 14416, '', 'whois ')],
    ['a program of programs', times('.env# ', 7281, '', 'at compose ')],
    ['paths of a commit', times('a# ', 2960, '', 'git add ')],
    ['agents that may be started', times('goose -a ', 1480, '', 'unheard-of ')],
    ['programs that nobody knows, in a long line', times('$X a#; ', 499, 'x'.repeat(120_000))],
  ])('is bounded for %s', async (_, line) => {
    const blocks = await blocksOf(() => judge(line))
    expect(blocks).toBeGreaterThan(100)
    expect(blocks).toBeLessThan(MOST_BLOCKS)
  })

  it.each<[string, Recipe]>([
    ['a pathspec of many steps', times('/**', 33_000, "'", "git diff -- '")],
    ['a pathspec of many steps from the top', times('**/', 33_000, "'", "git rm -f ':(top)")],
    ['options of npm in one word', times('=-a#', 18_000, '', 'npm run x --all')],
    [
      'a patch of many files',
      times(
        '*** Add File: src/a#\n+x\n',
        30_000,
        '*** End Patch\nEOF',
        "apply_patch <<'EOF'\n*** Begin Patch\n",
      ),
    ],
  ])('is bounded in one word, or one document, for %s', async (_, line) => {
    expect(await blocksOf(() => judge(line))).toBeLessThan(MOST_BLOCKS)
  })
})
