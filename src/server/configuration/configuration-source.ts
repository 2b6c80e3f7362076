/**
 * The configuration in force. It follows the file and the person's trust in it: a new or changed file takes effect
 * when someone trusts it. Until then the text that was trusted last stays in force, or, where there is none, every call needs
 * approval.
 */
import { resolve } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import type { BanksmanError } from '../../core/errors.ts'
import type { ChannelRegistration } from '../channels/channel-registration.ts'
import { readIfThere } from '../host/read-file.ts'
import { type Configuration, emptyConfiguration, readConfiguration } from './configuration.ts'
import { readTrusted } from './trust.ts'

export type ConfigurationStatus =
  | { kind: 'trusted' }
  /** No file: the built-in configuration. */
  | { kind: 'absent' }
  /** The file has gone; the text that was trusted last stays in force. */
  | { kind: 'gone' }
  /** There is a file, and nobody has trusted this text of it. */
  | { kind: 'untrusted'; holding: 'last_trusted' | 'built_in' }

/** The text of the file where it isn't in force. */
export interface UntrustedText {
  digest: string
  /** Why it can't be trusted either, in one line with its place. */
  mistake(): Promise<string | undefined>
}

export interface ConfigurationSource {
  current(): Configuration
  status(): ConfigurationStatus
  /** What a file said at the start of which nobody has ever trusted a text. Nothing of it may hold. */
  readonly unheld: Configuration | undefined
  /** Looks at the file and the trust again; true when what holds has changed. Throws when the trusted text is invalid. */
  refresh(): boolean
  /** What the file says, where the last look found a text that nobody has trusted. */
  untrusted(): UntrustedText | undefined
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
  let found: string | undefined

  function refresh(): boolean {
    const before = current
    const text = readIfThere(file)
    found = text
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
  const text = current === nobodys ? readIfThere(file) : undefined
  const unheld = text === undefined ? undefined : readConfiguration(text, file, defaultOwner, channels)
  return {
    current: () => current,
    status: () => status,
    unheld,
    refresh,
    untrusted() {
      if (status.kind !== 'untrusted' || found === undefined) return undefined
      const text = found
      const mistake = async () => {
        const { mistakeElsewhere } = await import('./read-elsewhere.ts')
        return firstLine(await mistakeElsewhere({ text, file, defaultOwner }))
      }
      return { digest: digestOf(text), mistake }
    },
  }
}

/** What is in force, for whoever runs it. */
export function describeStatus(status: ConfigurationStatus, file: string): string {
  switch (status.kind) {
    case 'trusted':
      return `the policy of ${file} is in force`
    case 'absent':
      return `there is no ${file}: every call needs approval`
    case 'gone':
      return `${file} is gone: the text that was trusted last stays in force; to remove it, run: banksman trust --forget ${file}`
    case 'untrusted':
      return status.holding === 'built_in'
        ? `nobody has trusted ${file} yet: every call needs approval until you run: banksman trust ${file}`
        : `${file} has changed: the text that was trusted last stays in force until you run: banksman trust ${file}`
  }
}

function firstLine(mistake: BanksmanError | undefined): string | undefined {
  return mistake?.message.split('\n', 1)[0]
}
