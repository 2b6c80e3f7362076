// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { LineTooLong } from '../../steps.ts'
import { readShell, readWords } from '../read/read-shell.ts'
import type { ShellReading } from '../reading.ts'
import { createLineBudget } from './line-budget.ts'
import { LINE_LIMITS } from './line-limits.ts'
import { parsingSteps } from './parse-cost.ts'

/** All that reading made: what is looked at by every rule afterwards. */
function expectBounded({ commands, doubts }: ShellReading): void {
  expect(commands.length).toBeLessThanOrEqual(LINE_LIMITS.commands + LINE_LIMITS.loose)
  // A command that goes beyond the limit is made before it is counted, and is left out.
  const sum = (of: (command: ShellReading['commands'][number]) => number) =>
    commands.reduce((total, command) => total + of(command), 0)
  expect(sum(({ words, through }) => words.length + through.length)).toBeLessThanOrEqual(
    LINE_LIMITS.words + 20 * LINE_LIMITS.loose,
  )
  expect(sum(({ text }) => text.length)).toBeLessThanOrEqual(LINE_LIMITS.written + 20_000 * LINE_LIMITS.loose)
  expect(doubts.length).toBeLessThanOrEqual(LINE_LIMITS.doubts + 1)
}

const isTooLong = ({ doubts }: ShellReading) => doubts.some(({ kind }) => kind === 'too long')

const UNITS = [
  ...['time ', 'eval ', 'env ', 'timeout 1 ', 'nice -n 5 ', 'sudo ', 'xargs ', 'sh -c ', 'find . -exec '],
  ...['ls | ', 'ls; ', 'ls && ', 'ls & ', '! ', 'cd a && ', 'a\n', '> a ', '< a ', '<<< a ', 'X=1 ', 'a '],
  ...[
    '<<a ',
    "<<'a' ",
    '<<-a\n',
    '{',
    '{a,',
    '$[',
    '$[ ',
    '${',
    '$((',
    '[[ ',
    '`',
    '"',
    "'",
    '$(',
    '<(',
    '(',
  ],
  ...[
    'if a; then ',
    'f() { ',
    'case a in ',
    'for a in b; do ',
    '* ',
    '$x ',
    '"$x" ',
    '~ ',
    '\\',
    '\\\n',
    '#',
    ')',
  ],
]

describe('the work for one line', () => {
  it('P5: is bounded for whatever is repeated, and a line is never less than in doubt', () => {
    const text = fc
      .tuple(
        fc.constantFrom('', 'cat ', 'echo "', "sh -c '", 'bash <<E\n'),
        fc.array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 18 }),
        fc.constantFrom('', 'rm x', '"', "'", '\nE'),
      )
      .map(([before, units, size, after]) => {
        const unit = units.join('')
        return before + unit.repeat(Math.ceil(2 ** size / unit.length)) + after
      })
    fc.assert(
      fc.property(text, (line) => {
        const reading = readShell(line)
        expectBounded(reading)
        if (line.length > LINE_LIMITS.parsed && !line.includes("<<'a'")) expect(isTooLong(reading)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    ['wrappers', `${'time '.repeat(30_000)}ls`],
    ['here-documents without an end', `cat ${'<<a '.repeat(200_000)}`],
    ['evals', `${'eval '.repeat(160_000)}ls`],
    ['pipes', `${'ls | '.repeat(160_000)}ls`],
    ['environments', `${'env '.repeat(200_000)}ls`],
    ['redirections', `ls ${'>f '.repeat(3000)}`],
    ['redirections around many commands', `{ ${'ls; '.repeat(100)}} ${'>f '.repeat(100)}`],
    ['a long word behind many wrappers', `${'env '.repeat(30)}echo '${'a'.repeat(120_000)}'`],
  ])('P5: is bounded for %s, and the line is too long', (_, line) => {
    const reading = readShell(line)
    expectBounded(reading)
    expect(isTooLong(reading)).toBe(true)
  })

  it('P5: is bounded for a list of words', () => {
    for (const words of [
      ['ls', ...Array<string>(200_000).fill('a')],
      Array<string>(200_000).fill('env'),
      ['sh', '-c', 'a;'.repeat(300_000)],
      ['echo', 'a'.repeat(2_000_000)],
    ]) {
      const reading = readWords(words)
      expectBounded(reading)
      expect(isTooLong(reading)).toBe(true)
    }
  })

  it('is counted before the parser runs', () => {
    for (const unit of ['{', '$[', '<<a '])
      expect(parsingSteps(unit.repeat(30_000), LINE_LIMITS.steps)).toBeGreaterThan(LINE_LIMITS.steps)
    for (const text of ['{a,b} '.repeat(10_000), `cat <<'E'\n${'x << y\n'.repeat(300)}E`])
      expect(parsingSteps(text, LINE_LIMITS.steps)).toBeLessThan(LINE_LIMITS.steps)
    const budget = createLineBudget()
    budget.spend('parsed', LINE_LIMITS.parsed)
    expect(() => budget.spend('parsed', 1)).toThrow(LineTooLong)
  })
})

describe('lines that people and agents write', () => {
  it.each([
    [
      'thousands of paths',
      `git add ${Array.from({ length: 2000 }, (_, n) => `src/some/folder/file-${n}.ts`).join(' ')}`,
    ],
    [
      'a script of a hundred lines',
      Array.from({ length: 100 }, (_, n) => `echo ${n} && npm run step-${n}`).join('\n'),
    ],
    ['a text of a hundred kilobytes', `echo '${'lorem ipsum, dolor; sit (amet) {x} '.repeat(2900)}' > a.txt`],
    [
      'a file of a megabyte',
      `cat > a.json <<'EOF'\n${'  { "a": [1, 2], "b": "x; y | z $(w)" },\n'.repeat(24_000)}EOF\n`,
    ],
    [
      'two long files',
      `cat <<'A' > a\n${"it's `x`\n".repeat(20_000)}A\ncat > b <<-"B" && ls\n${"\tit's x\n".repeat(20_000)}\tB\n`,
    ],
  ])('P5: are read whole: %s', (_, line) => {
    const reading = readShell(line)
    expect(reading.doubts).toEqual([])
    expect(reading.commands.at(-1)?.end).toBeLessThanOrEqual(line.length)
  })
})

describe('bodies that are left out of a long line', () => {
  const body = 'lorem ipsum\n'.repeat(20_000)

  it('P5: a command behind one is found, where it stands', () => {
    const line = `cat > a <<'EOF'\n${body}EOF\nrm x`
    const { commands, doubts } = readShell(line)
    expect(doubts).toEqual([])
    expect(commands.map(({ text }) => text)).toEqual(['cat', 'rm x'])
    expect(commands.map(({ start, end }) => line.slice(start, end))).toEqual(["cat > a <<'EOF'", 'rm x'])
  })

  it.each([
    ['a remark', `# <<'EOF'\nrm x\n${body}EOF\n`],
    ['quotes', `echo "<<'EOF'\n$(rm x)\n${body}EOF\n"`],
    ['a word in quotes that goes on', `echo "\n<<'EOF'\n"; rm x\n${body}EOF\n`],
    ['arithmetic', `echo $((1<<'EOF'\n)); rm x\n${body}EOF\n`],
    ['a mark behind another', `cat <<A <<'EOF'\n$(rm x)\nA\n${body}EOF\n`],
    ['a here-string', `cat <<<'EOF'\nrm x\n${body}EOF\n`],
    ['code for a shell', `bash <<'EOF'\nrm x\n${body}EOF\n`],
    ['code for a shell at the end of a pipe', `cat <<'EOF' | sh\nrm x\n${body}EOF\n`],
    ['a mark behind a backslash', `echo \\<<'EOF'\nrm x\n${body}EOF\n`],
    ['a line that goes on', `cat <<'EOF' \\\nrm x\n${body}EOF\n`],
    ['another here-document', `cat <<"X"\n<<'EOF'\nX\nrm x\n${body}EOF\n`],
  ])('P5: nothing is hidden by what only looks like one: %s', (_, line) => {
    const { commands, doubts } = readShell(line)
    const isSeen = commands.some(({ program }) => program === 'rm')
    expect(isSeen || doubts.length > 0).toBe(true)
  })

  it('P5: a long line has the commands of the short one, or is too long', () => {
    const piece = fc.constantFrom(
      ...[
        "<<'E'",
        '<<E',
        '<<-"E"',
        '<<<',
        '\n',
        '\nE\n',
        '\tE\n',
        ' ',
        '"',
        "'",
        '#',
        '\\',
        '`',
        '$(',
        ')',
        '; ',
        'rm x',
        'cat ',
        '> a',
        '$((',
        '))',
        '| sh',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 8 }), (before, after) => {
        const make = (filling: string) => `${before.join('')}cat <<'E'\n${filling}E\n${after.join('')}`
        const short = readShell(make('lorem ipsum\n'))
        const long = readShell(make(body))
        if (isTooLong(long)) return
        // Odd forms are searched for in bodies too, and the body of the long one is not there any more.
        const doubts = short.doubts.filter(({ reason }) => reason.code !== 'part.unclear-form')
        if (long.doubts.length === 0 && short.doubts.length > doubts.length) return
        expect(long.doubts.length > 0).toBe(short.doubts.length > 0)
        if (long.doubts.length > 0) return
        expect(long.commands.map(({ text }) => text)).toEqual(short.commands.map(({ text }) => text))
      }),
      { numRuns: runs(80) },
    )
  })
})
