/**
 * Shell lines made at random by a small grammar, each with the programs that were put into it. They nest what people
 * and attackers nest: lists, pipes, quotes, substitutions, here-documents, branches, loops and functions.
 */
import fc from 'fast-check'

export interface GeneratedLine {
  text: string
  /** Every program in it, as often as it was put there. */
  programs: string[]
}

type Piece = fc.Arbitrary<GeneratedLine>

const PROGRAMS = ['ls', 'cat', 'rm', 'curl', 'git', 'touch', 'wc', 'node', 'mv', 'tee', 'id', 'nc']

/** Words that hold no command, though most of them look as if they did. */
const PLAIN_WORDS = [
  'x',
  '-la',
  '--all',
  'a/b.txt',
  '"a b"',
  "'a; rm -rf b'",
  "'$(curl c)'",
  '"\\$(curl c)"',
  '"it\'s"',
  "it\\'s",
  '\\;',
  '\\"',
  '*.ts',
  '{a,b}',
  '"$x"',
  `"\${x:-y}"`,
  '$x',
  '$((1+2))',
  "$'a\\'b'",
  'a#b',
  '"#"',
  '""',
  'done',
  'a\\\nb',
  'if',
  '~',
  '!',
]

const REDIRECTIONS = ['2>/dev/null', '2>&1', '> out.txt', '>>out.txt', '< in.txt', '&>/dev/null', '<<< x']

const program: fc.Arbitrary<{ text: string; name: string }> = fc
  .tuple(fc.constantFrom(...PROGRAMS), fc.nat(9))
  .map(([name, spelling]) => {
    const spellings = [name, name, name, name, `\\${name}`, `'${name}'`, `"${name}"`, `/bin/${name}`]
    const split = `${name.slice(0, 1)}''${name.slice(1)}`
    return { name, text: spellings[spelling] ?? split }
  })

const { line: generated } = fc.letrec<{ line: GeneratedLine; statement: GeneratedLine; word: GeneratedLine }>(
  (tie) => {
    const line = tie('line')
    const word = tie('word')
    const simple = fc
      .tuple(program, fc.array(word, { maxLength: 2 }), fc.option(fc.constantFrom(...REDIRECTIONS)))
      .map(([{ text, name }, words, redirection]) => ({
        text: [text, ...words.map((one) => one.text), ...(redirection === null ? [] : [redirection])].join(
          ' ',
        ),
        programs: [name, ...words.flatMap(({ programs }) => programs)],
      }))
    const pipeline = joined(fc.array(simple, { minLength: 1, maxLength: 2 }), [' | ', '|', ' |& ', ' |\n'])
    return {
      word: fc.oneof(
        { maxDepth: 2, withCrossShrink: true },
        { arbitrary: plain(PLAIN_WORDS), weight: 24 },
        { arbitrary: around('$(', line, ')'), weight: 1 },
        { arbitrary: around('"$(', line, ')"'), weight: 1 },
        { arbitrary: around('"a $(', line, ') b"'), weight: 1 },
        { arbitrary: around('`', backquotable(simple), '`'), weight: 1 },
        { arbitrary: around('${x:-$(', line, ')}'), weight: 1 },
        { arbitrary: around('<(', line, ')'), weight: 1 },
        { arbitrary: around('2>(', line, ')'), weight: 1 },
        { arbitrary: around('<(', line, ')#'), weight: 1 },
      ),
      statement: fc.oneof(
        { maxDepth: 2, withCrossShrink: true },
        { arbitrary: pipeline, weight: 12 },
        { arbitrary: around('! ', pipeline, ''), weight: 1 },
        { arbitrary: around('( ', line, ')'), weight: 1 },
        { arbitrary: around('{ ', closed(line), '}'), weight: 1 },
        { arbitrary: around('for f in a b; do ', closed(line), 'done'), weight: 1 },
        { arbitrary: around('case x in a|b) ', closed(line), ';; esac'), weight: 1 },
        { arbitrary: around('go() { ', closed(line), '}'), weight: 1 },
        { arbitrary: around('[[ -f x ]] && ', pipeline, ''), weight: 1 },
        { arbitrary: hereDocument(simple, line), weight: 1 },
        {
          arbitrary: fc.tuple(closed(line), closed(line), fc.constantFrom('while', 'until')).map((parts) => {
            const [test, body, loop] = parts
            return together(`${loop} ${test.text}do ${body.text}done`, test, body)
          }),
          weight: 1,
        },
        {
          arbitrary: fc.tuple(closed(line), closed(line), closed(line)).map(([test, yes, no]) => {
            return together(`if ${test.text}then ${yes.text}else ${no.text}fi`, test, yes, no)
          }),
          weight: 1,
        },
      ),
      line: joined(fc.array(tie('statement'), { minLength: 1, maxLength: 3 }), [
        '; ',
        ' && ',
        ' || ',
        ' & ',
        '\n',
        ' &&\n',
        ' # a comment; rm x\n',
      ]),
    }
  },
)

/** Lines that are well formed. */
export const generatedLine: Piece = generated

/**
 * The same with a few characters put in: most of these are broken, some mean something else. Left out is what the
 * second parser recovers from by making up commands, or reads in ways of its own: backslashes, here-documents and
 * substitutions that end too early.
 */
export const damagedLine: Piece = fc
  .tuple(
    generated.filter(({ text }) => !/\\|<<END|\$\{/.test(text)),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'\'"();&|<> ')), { minLength: 1, maxLength: 3 }),
  )
  .map(([line, damages]) => ({
    programs: line.programs,
    text: damages.reduce((damaged, [place, character]) => {
      const at = place % (damaged.length + 1)
      return `${damaged.slice(0, at)}${character}${damaged.slice(at)}`
    }, line.text),
  }))
  .filter(({ text }) => !/\$\([ !]*\)/.test(text))

function plain(texts: string[]): Piece {
  return fc.constantFrom(...texts).map((text) => ({ text, programs: [] }))
}

function together(text: string, ...pieces: GeneratedLine[]): GeneratedLine {
  return { text, programs: pieces.flatMap(({ programs }) => programs) }
}

function around(before: string, piece: Piece, after: string): Piece {
  return piece.map((inner) => {
    // Two brackets right after each other would be arithmetic.
    const apart = before.endsWith('(') && inner.text.startsWith('(') ? ' ' : ''
    return together(`${before}${apart}${inner.text}${after}`, inner)
  })
}

/** A here-document ends with its own line, and nothing but a line may follow it. */
function joined(pieces: fc.Arbitrary<GeneratedLine[]>, joints: string[]): Piece {
  return fc
    .tuple(pieces, fc.array(fc.constantFrom(...joints), { minLength: 3, maxLength: 3 }))
    .map(([all, between]) => {
      const text = all.reduce((before, { text }, index) => {
        if (index === 0) return text
        return before.endsWith('\n') ? `${before}${text}` : `${before}${between[index % 3]}${text}`
      }, '')
      return together(text, ...all)
    })
}

/** So that a keyword may follow. */
function closed(piece: Piece): Piece {
  return piece.map((inner) => together(inner.text.endsWith('\n') ? inner.text : `${inner.text}\n`, inner))
}

/** Backquotes have rules of their own for backslashes and for each other: only what has neither goes between them. */
function backquotable(piece: Piece): Piece {
  return piece.filter(({ text }) => !/[`\\\n]/.test(text))
}

function hereDocument(command: Piece, line: Piece): Piece {
  const body = fc.oneof(plain(['text', 'a; rm b', "it's", '$x']), around('$(', line, ')'))
  // One inside another must not have its mark.
  const mark = fc.nat(99_999).map((number) => `END${number}`)
  return fc.tuple(mark, command, body, fc.boolean(), fc.option(command)).map((parts) => {
    const [end, first, inner, quoted, next] = parts
    const onward = next === null ? '' : ` | ${next.text}`
    const text = `${first.text} <<${quoted ? `'${end}'` : end}${onward}\n${inner.text}\n${end}\n`
    return together(text, first, ...(quoted ? [] : [inner]), ...(next === null ? [] : [next]))
  })
}
