/** Which configuration file a command means, and its text. */
import { resolve } from 'node:path'
import { sayInEnglish } from '../../core/reasons/english.ts'
import { findConfigurationText } from '../../server/configuration/configuration-text.ts'
import type { Context } from '../command-line/command.ts'
import type { OptionSpecs } from '../command-line/option-specs.ts'
import { CommandFailure } from '../output/failures.ts'

export const CONFIGURATION_NAME = 'banksman.yaml'

export const CONFIG_OPTION = {
  config: {
    kind: 'text',
    value: 'FILE',
    about: `the configuration file (default: BANKSMAN_CONFIG, or ${CONFIGURATION_NAME} in the current folder)`,
  },
} as const satisfies OptionSpecs

export function configurationPath(named: string | undefined, { environment, cwd }: Context): string {
  return resolve(cwd, named ?? (environment.BANKSMAN_CONFIG || CONFIGURATION_NAME))
}

/** Undefined when there is no such file. */
export function readConfigurationText(file: string): string | undefined {
  const found = findConfigurationText(file)
  if (found?.kind === 'unreadable' && found.error !== undefined) throw found.error
  if (found?.kind === 'unreadable')
    throw new CommandFailure('invalid', `${file} can't be read: ${sayInEnglish(found.mistake)}`)
  return found?.text
}
