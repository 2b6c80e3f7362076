/** Every profile by the names of its programs. */
import type { Profile } from './starter/profile.ts'
import { PROGRAM_TEXTS } from './starter/program-texts.ts'

let known: ReadonlyMap<string, Profile> | undefined

/** The profiles are parsed at the first call: a policy whose calls have no shell line never needs them. */
export function knownPrograms(): ReadonlyMap<string, Profile> {
  known ??= new Map(
    (JSON.parse(`[${PROGRAM_TEXTS.join(',')}]`) as Profile[]).flatMap((profile) =>
      profile.programs.map((program) => [program, profile]),
    ),
  )
  return known
}
