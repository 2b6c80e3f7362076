/** What reading a configuration costs, counted by the engine as for lines: an agent may have written the file. */
import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../../src/server/configuration/configuration.ts'
import { readYaml, YAML_LIMITS } from '../../src/server/host/read-yaml.ts'
import { countBlocks } from '../fixtures/count-blocks.ts'

const MAX_BYTES = 512 * 1024
/** What is longer than 16 kB is read in a thread of its own first, while the server goes on. */
const MOST_BLOCKS = 30_000_000
const blocksOf = countBlocks(/\/src\/|\/yaml\//)

const PIECES = [
  '[',
  '{',
  '{a: ',
  '{a',
  '- ',
  '? ',
  ': ',
  'a: ',
  '}',
  ']',
  '{}',
  '[]',
  ',',
  '&a ',
  '&a# x\n',
  '*a ',
  '!!x ',
  '!',
  '%',
  '@',
  '|',
  '>',
  '"',
  "'",
  '"a" ',
  'k#: 1\n',
  'k: 1\n',
  'k#: {a: 1}\n',
  '- a#\n',
  '- [a]\n',
  '---\n',
  '...\n',
  '# c\n',
  '\n',
  ' \n',
  '\t',
  '\t- a\n',
  'a\n',
  ' a\n',
  '\\',
  '\\q',
  '\\xzz',
  '\\u12',
  '<<: *a\n',
  '\u0000',
  '\ufeff',
  'é',
  '? a#\n',
  '? [a#]\n',
  '? {a#: 1}\n',
  '"a\n',
  '#',
] as const
const HEADS = [
  '',
  'policy:\n  allow:\n',
  '[',
  '{',
  '"',
  'a: |\n ',
  'permissions: {deny: [',
  'people: {',
] as const

/** The piece as often as a share of what the text may hold. */
function textOf(head: string, piece: string, share: number): string {
  const each = piece.length + 3 * (piece.split('#').length - 1)
  const byTokens = (YAML_LIMITS.tokens / 2) * share
  const times = Math.floor(Math.min((MAX_BYTES * share) / each, share < 0.6 ? byTokens : 8 * byTokens))
  const numbered = (at: number) =>
    piece.replaceAll('#', piece === '#' || piece === '# c\n' ? '#' : String(at))
  return head + Array.from({ length: times }, (_, at) => numbered(at)).join('')
}

function read(text: string): unknown {
  try {
    return readConfiguration(text, 'banksman.yaml', 'ana')
  } catch (error) {
    return error
  }
}

describe('P5: what reading a configuration costs', () => {
  it.each(HEADS)('is bounded whatever comes again and again after %j', async (head) => {
    for (const piece of PIECES) {
      for (const share of [0.25, 0.5, 0.75, 0.99]) {
        const blocks = await blocksOf(() => read(textOf(head, piece, share)))
        expect(blocks, `${JSON.stringify(piece)} at ${share}`).toBeLessThan(MOST_BLOCKS)
      }
    }
  })

  it.each(['\\q', '\\xzz', '\\u12', '\\Uffffffff'])('is bounded for one quoted word of %j', (wrong) => {
    const { errors } = readYaml(`a: "${wrong.repeat(MAX_BYTES / wrong.length - 8)}"`)
    expect(errors.map(({ code }) => code)).toEqual(['RESOURCE_EXHAUSTION'])
  })

  it.each([
    ['thousands of rules about paths', (at: number) => `    - "Read(./a${at}/**/b*/**/c)"\n`, 3900],
    ['rules with many wildcards', (at: number) => `    - "Read(./a${at}/${'**/b*/'.repeat(60)}c)"\n`, 800],
    ['thousands of tools', (at: number) => `    - "mcp__a${at}__*"\n`, 3900],
  ])('is bounded for %s', async (_, entry, count) => {
    const text = `permissions:\n  deny:\n${Array.from({ length: count }, (_, at) => entry(at)).join('')}`
    expect(await blocksOf(() => read(text))).toBeLessThan(MOST_BLOCKS)
  })
})
