/** Every promise is kept by a test that cites it: a promise that no test cites fails the run. */
import { describe, expect, it } from 'vitest'
import { filesBelow, readSource, type SourceFile, type SyntaxNode, walk } from './source-files.ts'

const PROMISES: Record<string, string> = {
  P1: 'register before publish',
  P2: 'decided exactly once',
  P3: 'what was approved is what runs',
  P4: 'runs at most once',
  P5: 'fails closed, and says the truth',
  P6: 'authority is checked at the click',
  P7: 'durable before visible',
  P8: 'only asked where it can be answered',
  P9: 'nothing hidden',
  P10: 'on the record',
  P11: 'no self-approval',
  P12: 'waiting is not working',
}

/** Promises that can't be tested yet, each with the reason. */
const NOT_YET: Record<string, string> = {}

/** The tests, and the suites that are published for other stores and channels. */
const TESTS = [...filesBelow('src'), ...filesBelow('test')].filter((path) => {
  return path.endsWith('.test.ts') || (path.startsWith('src/testing/') && path.endsWith('.ts'))
})

describe('the promises', () => {
  const citations = TESTS.map(readSource).flatMap((source) => {
    return citedIn(source).map((promise) => ({ promise, path: source.path }))
  })

  it.each(Object.entries(PROMISES))('%s (%s) is cited by a test', (promise) => {
    const cited = citations.some((citation) => citation.promise === promise)
    expect(cited, `no test is named "${promise}: …"`).toBe(!Object.hasOwn(NOT_YET, promise))
  })

  it('no test cites a promise that was not made', () => {
    expect(citations.filter(({ promise }) => !Object.hasOwn(PROMISES, promise))).toEqual([])
  })
})

describe('a citation', () => {
  // The names are put together here, so that this file cites nothing itself.
  const named = (call: string, name: string) =>
    citedIn({ path: 'a.test.ts', text: `${call}('${name}', () => {})` })
  const [one, two] = ['P1', 'P2']

  it('stands before a colon in the name of a test or of a group of tests', () => {
    expect(named('it', `${one}: x`)).toEqual([one])
    expect(named('it.each([1])', `${one}: x`)).toEqual([one])
    expect(named('it.skipIf(here)', `${one}: x`)).toEqual([one])
    expect(named('describe', `${one}, ${two}: x`)).toEqual([one, two])
    expect(named('test', `${one} and ${two}: x`)).toEqual([one, two])
    expect(named('it', `answers (${one}/${two}: x)`)).toEqual([one, two])
  })

  it('is nothing else', () => {
    expect(named('it', `as ${one} says`)).toEqual([])
    expect(named('log', `${one}: x`)).toEqual([])
    expect(citedIn({ path: 'a.test.ts', text: `// it('${one}: x')` })).toEqual([])
    expect(named('it.skip', `${one}: x`)).toEqual([])
    expect(named('it.todo', `${one}: x`)).toEqual([])
  })
})

function citedIn(source: SourceFile): string[] {
  const found: string[] = []
  walk(source, (node) => {
    if (node.type !== 'CallExpression' || !runsTests(node.callee as SyntaxNode)) return
    const [, promises = ''] =
      /\b(P\d+(?:(?:, ?| and |\/)P\d+)*):/.exec(nameOf((node.arguments as SyntaxNode[])[0])) ?? []
    found.push(...(promises.match(/P\d+/g) ?? []))
  })
  return found
}

/** `it`, `test`, `describe` and what hangs on them, but nothing that leaves the test out. */
function runsTests(callee: SyntaxNode): boolean {
  if (callee.type === 'Identifier') return ['it', 'test', 'describe'].includes(callee.name as string)
  if (callee.type === 'CallExpression') return runsTests(callee.callee as SyntaxNode)
  if (callee.type !== 'MemberExpression') return false
  const property = (callee.property as { name?: string }).name ?? ''
  return !['skip', 'todo'].includes(property) && runsTests(callee.object as SyntaxNode)
}

function nameOf(argument: SyntaxNode | undefined): string {
  if (argument?.type === 'Literal') return String(argument.value)
  if (argument?.type !== 'TemplateLiteral') return ''
  return (argument.quasis as { value: { raw: string } }[])[0]?.value.raw ?? ''
}
