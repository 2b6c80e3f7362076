/**
 * Writes src/policy/starter/program-texts.ts: the profiles in src/policy/starter/programs as one module. The policy reads
 * no disk, so what it knows is imported, and one file is loaded in a fraction of the time that some 260 take. Run it after
 * a profile was added, changed or removed; a test says when.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Profile } from '../src/policy/starter/profile.ts'

const starter = join(import.meta.dirname, '../src/policy/starter')

const folder = join(starter, 'programs')
const OPTIONS = /\.options\.json$/

/** By the file of each. The options of a program that has very many are in a file of their own: `git.options.json`. */
export function readProfiles(): Map<string, Profile> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const profiles = new Map<string, Profile>()
  for (const file of files.filter((each) => !OPTIONS.test(each)).sort()) {
    const apart = file.replace(/\.json$/, '.options.json')
    profiles.set(file, files.includes(apart) ? { ...read(file), options: read(apart) } : read(file))
  }
  return profiles
}

/** The text of the module. */
export function generatePrograms(): string {
  const lines = [...readProfiles().values()].map((profile) => `  ${quoted(JSON.stringify(profile))},`)
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
