/**
 * Writes src/policy/starter/known-programs.ts, which imports every profile in src/policy/starter/programs: the policy
 * reads no disk, so what it knows is imported. Run it after a profile was added or removed; a test says when.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const starter = join(import.meta.dirname, '../src/policy/starter')

/** The text of the file that imports all profiles. */
export function listPrograms(): string {
  const files = readdirSync(join(starter, 'programs'))
    .filter((file) => file.endsWith('.json'))
    .sort()
  const imports = files.map(
    (file, index) => `import p${index} from './programs/${file}' with { type: 'json' }`,
  )
  const names = files.map((_, index) => `p${index}`)
  return `/** Every profile by the names of its programs. Written by \`npm run list:programs\`; don't edit. */
// biome-ignore-all assist/source/organizeImports: in the order of the files
import type { Profile } from './profile.ts'
${imports.join('\n')}

// biome-ignore format: it would be as many lines again
const profiles = [
${names.join(', ').replace(/(.{1,100})( |$)/g, '  $1\n')}] as Profile[]

export const knownPrograms: ReadonlyMap<string, Profile> = new Map(
  profiles.flatMap((profile) => profile.programs.map((program) => [program, profile])),
)
`
}

if (import.meta.main) writeFileSync(join(starter, 'known-programs.ts'), listPrograms())
