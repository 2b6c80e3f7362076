/** Every profile by the names of its programs. */
import { createTable, type ProgramOptionTable } from './shell/options/option-table.ts'
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

const tables = new Map<Profile, ProgramOptionTable>()
const UNKNOWN = createTable({ of: {}, invocations: [] })

export function optionTableOf(program: string | undefined): ProgramOptionTable {
  const profile = program === undefined ? undefined : knownPrograms().get(program)
  if (profile === undefined) return UNKNOWN
  let table = tables.get(profile)
  if (table === undefined) {
    const like = profile.options?.like
    table =
      like !== undefined
        ? optionTableOf(like)
        : createTable({ of: profile.options ?? {}, profile, invocations: [profile.reads ?? []].flat() })
    tables.set(profile, table)
  }
  return table
}
