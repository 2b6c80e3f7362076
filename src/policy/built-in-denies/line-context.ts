/** The shell line of a call, with what is known of the folders and files that it is about. */
import { kept } from '../../core/support/kept.ts'
import { valuesAt } from '../matchers/pointer.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'
import type { ShellLineContext } from './find-own-in-command.ts'
import type { LineArguments } from './find-own-in-texts.ts'

export function linePlaceOf(entry: CatalogueEntry | undefined): LineArguments | undefined {
  return entry?.kind === 'shell' ? placeIn(entry) : undefined
}

const placeIn = kept((entry: CatalogueEntry): LineArguments => {
  const pointers = [entry.command ?? '/command', ...(entry.words === undefined ? [] : [entry.words])]
  const steps = pointers.map((pointer) =>
    pointer
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
  return { pointers, steps }
})

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
