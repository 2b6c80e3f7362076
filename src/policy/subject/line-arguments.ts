/** Which arguments of a tool that runs commands are the command. */
import type { CommandPlace } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { valuesAt } from '../matchers/pointer.ts'
import type { JudgedCall } from '../policy.ts'
import type { CatalogueEntry } from '../tools/catalogue.ts'

/** Where a tool that runs commands names the command. */
export function commandPlaceOf(entry: CatalogueEntry | undefined): CommandPlace | undefined {
  if (entry?.kind !== 'shell') return undefined
  return {
    command: entry.command ?? '/command',
    ...defined({ words: entry.words }),
  }
}

/** The argument that is a shell line as it stands; or those that are a program and the list of its words. */
export function lineArgumentsOf(
  call: JudgedCall,
  entry: CatalogueEntry,
): { pointer: string } | { list: CommandPlace } | undefined {
  const place = commandPlaceOf(entry)
  const [line] = place === undefined ? [] : valuesAt(call.arguments, place.command)
  const [more] = place?.words === undefined ? [] : valuesAt(call.arguments, place.words)
  if (place === undefined || line === undefined) return undefined
  if (typeof line.value === 'string') {
    if (more === undefined) return { pointer: line.pointer }
    return isTexts(more.value) ? { list: place } : undefined
  }
  return isTexts(line.value) && more === undefined ? { list: { command: place.command } } : undefined
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
