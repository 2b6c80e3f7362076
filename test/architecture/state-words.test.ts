/** What a state, a decision or the end of a turn is called stands in `src/display/words` and nowhere else. */
import { describe, expect, it } from 'vitest'
import { APPROVAL_DECISIONS, QUESTION_DECISIONS } from '../../src/core/decision.ts'
import { STATES } from '../../src/core/request.ts'
import { SEVERITIES } from '../../src/core/verdict.ts'
import { filesBelow, isForTests, lineAt, readSource, type SourceFile, walk } from './source-files.ts'

/** How many codes of a set may stand in one object before it is a table of words for them. */
const SETS: { name: string; codes: readonly string[]; most: number }[] = [
  { name: 'states', codes: STATES, most: 4 },
  { name: 'decisions', codes: [...APPROVAL_DECISIONS, ...QUESTION_DECISIONS], most: 3 },
  { name: 'severities', codes: SEVERITIES, most: 3 },
  { name: 'turn statuses', codes: ['completed', 'interrupted', 'limit', 'failed', 'aborted'], most: 3 },
]

const ALLOWED = [
  'src/display/words/',
  // Sentences for models, in English only.
  'src/gateway/guarding/guard-result.ts',
]

function tablesIn(source: SourceFile): string[] {
  const found: string[] = []
  walk(source, (node) => {
    if (node.type !== 'ObjectExpression') return
    const texts = (node.properties as Record<string, { name?: string; value?: unknown; type: string }>[])
      .filter(({ value }) => isText(value))
      .map(({ key }) => key?.name ?? String(key?.value))
    for (const { name, codes, most } of SETS) {
      if (texts.filter((key) => codes.includes(key)).length <= most) continue
      found.push(`${source.path}:${lineAt(source.text, node.start)} has words for ${name}`)
    }
  })
  return found
}

/** Words have a blank or a letter that no code has; a key, a class or a number of milliseconds is none. */
function isText(value: { type: string; value?: unknown } | undefined): boolean {
  return (
    value?.type === 'TemplateLiteral' ||
    (value?.type === 'Literal' &&
      typeof value.value === 'string' &&
      /[^a-z_-]|\p{Script=Han}/u.test(value.value))
  )
}

describe('words for states and decisions', () => {
  it('stand in display/words only', () => {
    const sources = [...filesBelow('src'), ...filesBelow('inbox/src')]
      .filter((path) => /\.tsx?$/.test(path) && !isForTests(path))
      .filter((path) => !ALLOWED.some((allowed) => path.startsWith(allowed)))
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.map(readSource).flatMap(tablesIn)).toEqual([])
  })

  it.each([
    "const x = { pending: 'Waiting', approved: 'Yes', running: 'Runs', done: 'Over', expired: 'Too late' }",
    "const x = { approve: '批准', reject: '拒绝', edit: '修改', respond: '答复' }",
    'const x = { completed: `It is done`, limit: `Steps`, failed: `Oh`, aborted: `No` }',
  ])('this test goes red on %s', (text) => {
    expect(tablesIn({ path: 'src/cli/a.ts', text })).toHaveLength(1)
  })

  it('but not on other tables by state', () => {
    const text =
      "const x = { pending: 1, approved: 2, running: 3, done: 'done', expired: 'expired', lapsed: 'x' }"
    expect(tablesIn({ path: 'src/cli/a.ts', text })).toEqual([])
  })
})

describe('the Chinese word for an agent', () => {
  it('is 智能体; 代理 is a proxy server', () => {
    const paths = ['src', 'inbox/src', 'docs', 'examples'].flatMap(filesBelow)
    const sources = paths.filter((path) => /\.(?:tsx?|js|md)$/.test(path) && !/node_modules/.test(path))
    expect(sources.filter((path) => /代理(?!服务器)/.test(readSource(path).text))).toEqual([])
  })
})
