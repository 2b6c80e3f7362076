/** Writes a policy that was read from elsewhere as a `banksman.yaml`, with what is different here as comments in it. */
import { Document, Scalar, visit } from 'yaml'
import type { Imported } from '../../policy/dialects/imported.ts'
import type { PolicyBlock } from '../../policy/language/language.ts'

const ORDER = [
  'extends',
  'mode',
  'deny',
  'ask',
  'allow',
  'rules',
  'reason',
] as const satisfies (keyof PolicyBlock)[]
const COLUMNS = 100

/** @param source What it was read from, in words. */
export function policyText({ block, notes }: Pick<Imported, 'block' | 'notes'>, source: string): string {
  const ordered = Object.fromEntries(
    ORDER.filter((key) => block[key] !== undefined).map((key) => [key, block[key]]),
  )
  const head = [`The policy of ${source}.`]
  if (notes.length > 0) head.push('', 'What is different here:')
  const items = notes.map(({ effect, about }) => `${effect}: ${about}.`)
  return [
    ...head.map((line) => comment(line, '')),
    ...items.map((line) => comment(line, '- ')),
    yamlOf({ policy: ordered }),
  ]
    .join('\n')
    .replace(UNSEEN, escaped)
}

/** Controls, format characters, and whatever has no picture: whoever reads the file must see what is in it. */
const UNSEEN = /[[\p{C}\p{Zl}\p{Zp}\p{DI}\u2800]--[\n\ufe0f]]/gv

function yamlOf(value: unknown): string {
  const document = new Document(value, { version: '1.2' })
  visit(document, {
    Scalar(_, node) {
      // The only way of writing a text in which escapes can stand.
      if (typeof node.value === 'string' && node.value.search(UNSEEN) !== -1) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0 })
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}

/** Wrapped, and nothing of it can end the comment. */
function comment(text: string, mark: string): string {
  const lines: string[] = []
  let line = mark
  for (const word of text.split(/\s+/)) {
    if (line.trim() !== mark.trim() && line.length + 1 + word.length > COLUMNS) {
      lines.push(line)
      line = ' '.repeat(mark.length) + word
    } else line = line === mark ? line + word : `${line} ${word}`
  }
  return [...lines, line].map((each) => `# ${each}`.trimEnd()).join('\n')
}
