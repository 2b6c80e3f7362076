/** Which configuration file a command means, and its text. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Context } from './command.ts'
import { CommandFailure } from './failures.ts'

export const CONFIGURATION_NAME = 'banksman.yaml'

export function configurationPath(named: string | undefined, { environment, cwd }: Context): string {
  return resolve(cwd, named ?? (environment.BANKSMAN_CONFIG || CONFIGURATION_NAME))
}

/** Undefined when there is no such file. */
export function readConfigurationText(file: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const text = bytes.toString('utf8')
  // What is shown must be what is read: bytes that are no text would be shown as something else.
  if (!Buffer.from(text, 'utf8').equals(bytes))
    throw new CommandFailure('invalid_configuration', `${file} is not UTF-8 text`)
  return text
}
