/**
 * The configuration that holds now. It follows the file and the person's trust in it: a new or changed file takes
 * effect when someone trusts it, and until then the last trusted text holds, or, where there is none, everything is
 * asked.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import type { ChannelRegistration } from '../channels/channel-registration.ts'
import { type Configuration, emptyConfiguration, readConfiguration } from './configuration.ts'
import { readTrusted } from './trust.ts'

export type ConfigurationStatus =
  | { kind: 'trusted' }
  /** No file: the built-in configuration. */
  | { kind: 'absent' }
  /** The file has gone; the text that was trusted last goes on holding. */
  | { kind: 'gone' }
  /** There is a file, and nobody has trusted this text of it. */
  | { kind: 'untrusted'; holding: 'last_trusted' | 'built_in' }

export interface ConfigurationSource {
  current(): Configuration
  status(): ConfigurationStatus
  /** What a file said at the start of which nobody has ever trusted a text. Nothing of it may hold. */
  readonly unheld: Configuration | undefined
  /** Looks at the file and the trust again; true when what holds has changed. Throws when the trusted text is invalid. */
  refresh(): boolean
}

export function createConfigurationSource(options: {
  file: string
  trustFolder: string
  defaultOwner: string
  /** Those that may be configured. The default is all that there are. */
  channels?: readonly ChannelRegistration[]
}): ConfigurationSource {
  const { trustFolder, defaultOwner, channels } = options
  const file = resolve(options.file)
  const nobodys = emptyConfiguration(defaultOwner, file, channels)
  let current = nobodys
  let status: ConfigurationStatus = { kind: 'absent' }

  function refresh(): boolean {
    const before = current
    const text = readText(file)
    const trusted = readTrusted(trustFolder, file)
    if (trusted !== undefined) {
      if (trusted.text !== current.text)
        current = readConfiguration(trusted.text, file, defaultOwner, channels)
      if (text === undefined) status = { kind: 'gone' }
      else if (digestOf(text) === trusted.digest) status = { kind: 'trusted' }
      else status = { kind: 'untrusted', holding: 'last_trusted' }
    } else {
      // Also where one was trusted until a moment ago: whoever takes their word back is followed.
      current = nobodys
      status = text === undefined ? { kind: 'absent' } : { kind: 'untrusted', holding: 'built_in' }
    }
    return current !== before
  }

  refresh()
  // It must at least be readable, so that the mistake is told now and not after it was trusted.
  const text = current === nobodys ? readText(file) : undefined
  const unheld = text === undefined ? undefined : readConfiguration(text, file, defaultOwner, channels)
  return { current: () => current, status: () => status, unheld, refresh }
}

/** What holds, for whoever runs it. */
export function describeStatus(status: ConfigurationStatus, file: string): string {
  switch (status.kind) {
    case 'trusted':
      return `the policy is that of ${file}`
    case 'absent':
      return `there is no ${file}: every call is asked`
    case 'gone':
      return `${file} is gone: the text that was trusted last goes on holding; to be rid of it, run: banksman trust --forget ${file}`
    case 'untrusted':
      return status.holding === 'built_in'
        ? `nobody has trusted ${file} yet: every call is asked until you run: banksman trust ${file}`
        : `${file} has changed: the text that was trusted last holds until you run: banksman trust ${file}`
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
