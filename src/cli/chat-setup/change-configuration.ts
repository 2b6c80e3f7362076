/**
 * Writes values into the configuration file, after the person has seen the difference. A file that was trusted as it was is trusted with
 * the change that they saw; one with changes that nobody has trusted is left for `banksman trust`.
 */
import { digestOf } from '../../core/digest.ts'
import { type Configuration, readConfiguration } from '../../server/configuration/configuration.ts'
import { setInText, type WrittenValue } from '../../server/configuration/set-in-text.ts'
import { readTrusted, trustFolder, writeTrusted } from '../../server/configuration/trust.ts'
import { replaceFile } from '../../server/host/replace-file.ts'
import { userName } from '../../server/host/user-name.ts'
import type { Context } from '../command-line/command.ts'
import { readConfigurationText } from '../connection/configuration-file.ts'
import { differenceText, wholeText } from '../output/difference-text.ts'
import { CommandFailure } from '../output/failures.ts'
import { stopped } from './ask-settings.ts'

export type ConfigurationChange = readonly [path: readonly [string, ...string[]], value: WrittenValue]

export interface ChangeOptions {
  file: string
  /** Write without asking. */
  isAgreed: boolean
  /** What is true if they say no. */
  otherwise: string
}

/** What the file would say. Nothing is written. */
export function changedConfiguration(
  file: string,
  changes: readonly ConfigurationChange[],
): { before: string | undefined; after: string; configuration: Configuration } {
  const before = readConfigurationText(file)
  const after = changes.reduce((text, [path, value]) => setInText(text, path, value), before ?? '')
  return { before, after, configuration: readConfiguration(after, file, userName()) }
}

export async function changeConfiguration(
  changes: readonly ConfigurationChange[],
  { file, isAgreed, otherwise }: ChangeOptions,
  { terminal, environment }: Context,
): Promise<void> {
  const { before, after } = changedConfiguration(file, changes)
  if (before === after) return
  const folder = trustFolder(environment)
  const trusted = readTrusted(folder, file)
  // Where the file is gone, the text that was trusted last is in force: a new file must not take its place unseen.
  const isTrusted =
    before === undefined
      ? trusted === undefined
      : trusted !== undefined && trusted.digest === digestOf(before)
  const { paint, columns } = terminal
  const shown =
    before === undefined ? wholeText(after, columns) : differenceText(before, after, { paint, columns })
  terminal.note(`\n${file}${before === undefined ? ' (new)' : ''}\n${shown.join('\n')}`)
  if (!isAgreed) {
    const answer = await terminal.ask(isTrusted ? '\nWrite and trust this? [Y/n] ' : '\nWrite this? [Y/n] ')
    if (answer === undefined || !/^(?:y|yes|)$/i.test(answer)) throw stopped(otherwise)
  }
  if (readConfigurationText(file) !== before)
    throw new CommandFailure('conflict', `${file} has changed meanwhile, and was not written; run this again`)
  replaceFile(file, after)
  if (isTrusted) {
    writeTrusted(folder, file, after, userName(), Date.now())
    terminal.note(`Written and trusted: ${file}`)
    return
  }
  terminal.note(
    `Written: ${file}. It isn't trusted, so it isn't in force yet. Check it and run: banksman trust ${file}`,
  )
}
