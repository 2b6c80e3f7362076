/** The shell line of a call, with what is known of the folders and files that it is about. */
import { valuesAt } from '../matchers/pointer.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'
import type { ShellLineContext } from './find-own-in-command.ts'
import type { LineArguments } from './find-own-in-texts.ts'

/** Worked out once for each tool that the catalogue knows. */
const places = new WeakMap<CatalogueEntry, LineArguments>()

export function linePlaceOf(entry: CatalogueEntry | undefined): LineArguments | undefined {
  if (entry?.kind !== 'shell') return undefined
  const already = places.get(entry)
  if (already !== undefined) return already
  const pointers = [entry.command ?? '/command', ...(entry.words === undefined ? [] : [entry.words])]
  const steps = pointers.map((pointer) =>
    pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
  const place = { pointers, steps }
  places.set(entry, place)
  return place
}

/** The line of the call, and all that is known of where its words lead. */
export function lineContextOf(subject: CallSubject, place: LineArguments | undefined): ShellLineContext {
  const { call, facts, reading } = subject
  const textsAt = (pointers: readonly string[]) =>
    pointers.flatMap((pointer) => valuesAt(call.arguments, pointer)).flatMap(({ value }) => value)
  const cwd = [call.cwd, facts?.folder].filter((base) => base !== undefined)
  return {
    text: textsAt(place?.pointers ?? []).join(' '),
    reading: reading ?? { commands: [], doubts: [] },
    bases: [...new Set(cwd)],
    resolved: (path) => subject.resolved({ path, access: 'unknown', text: path }),
    unsure: facts?.unsure ?? [],
    isLookedUp: facts?.words !== undefined,
  }
}
