/**
 * Writes src/policy/starter/program-texts.ts: the profiles in src/policy/starter/programs as one module. The policy reads
 * no disk, so what it knows is imported, and one file is loaded in a fraction of the time that some 260 take. Run it after
 * a profile was added, changed or removed; a test says when.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const starter = join(import.meta.dirname, '../src/policy/starter')

/** The text of the module. */
export function generatePrograms(): string {
  const folder = join(starter, 'programs')
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => `  ${quoted(JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8'))))},`)
  return `/** The profiles in programs/, one a line. Written by \`npm run generate:programs\`; don't edit. */
// biome-ignore-all format: one line a profile, so that a change of one is a change of one line

export const PROGRAM_TEXTS: readonly string[] = [
${lines.join('\n')}
]
`
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

if (import.meta.main) writeFileSync(join(starter, 'program-texts.ts'), generatePrograms())
