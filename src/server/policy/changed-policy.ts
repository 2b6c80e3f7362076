/** How the text that is in the configuration file now differs from the policy in force. */

import { type BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { MaskText } from '../../display/masks/mask-text.ts'
import { sayError } from '../../display/reasons/say-error.ts'
import { sayKnown } from '../../display/reasons/say-reason.ts'
import type { Viewer } from '../../http/to-wire/request-to-wire.ts'
import type { WirePolicy } from '../../wire/types/policy.ts'
import type { FoundText } from '../configuration/configuration-text.ts'
import type { PlacedWarning } from './check-policy.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import { warningToWire } from './warning-to-wire.ts'

export function isInForce(found: FoundText | undefined, { configuration }: PolicyInForce): boolean {
  return found?.kind === 'text' && found.text === configuration.text
}

export function statusOf(found: FoundText | undefined, inForce: PolicyInForce): WirePolicy['status'] {
  if (found === undefined) return inForce.configuration.text === undefined ? 'absent' : 'gone'
  return isInForce(found, inForce) ? 'trusted' : 'untrusted'
}

export interface ChangedPolicy {
  /** Why a text can't be put in force. */
  mistakeIn(text: string): Promise<BanksmanError | undefined>
  /** What a person is shown of the text in the file. */
  show(
    found: FoundText | undefined,
    reader: Viewer,
    mask: MaskText,
  ): Promise<WirePolicy['changed'] | undefined>
}

/** A text that could be put in force. */
export interface CompiledText {
  /** Whether it sets nothing. */
  isEmpty: boolean
  /** What is probably not meant, going by the people who are known now. */
  warnings(): readonly PlacedWarning[]
}

/** `compile` rejects where a text can't be put in force. */
export function createChangedPolicy(compile: (text: string) => Promise<CompiledText>): ChangedPolicy {
  /** Reading a long text takes a while, and a page is looked at more often than a file is changed. */
  let known: ({ text: string; mistake?: BanksmanError } & Partial<CompiledText>) | undefined

  async function read(text: string): Promise<NonNullable<typeof known>> {
    if (known?.text === text) return known
    const found = await compile(text).catch((error) => ({
      mistake: isBanksmanError(error) ? error : unreadable(error),
    }))
    known = { text, ...found }
    return known
  }

  return {
    mistakeIn: async (text) => (await read(text)).mistake,
    async show(found, { actor, locale }, mask) {
      if (found === undefined) return undefined
      if (found.kind === 'unreadable') {
        const mistake = sayKnown(found.mistake, locale) ?? ''
        return { text: '', digest: '', mistake }
      }
      const { digest } = found
      const { mistake, isEmpty, warnings } = await read(found.text)
      // A file that is no configuration may be any file of the server's, which somebody has put a link to in its place.
      // So may one in which nothing is set: it has only comments. Only an administrator sees such a text.
      const text = actor.role === 'admin' || isEmpty === false ? mask(found.text) : ''
      // A warning quotes from the text: whoever may not see that must not see these.
      const told = text === '' ? [] : (warnings?.() ?? [])
      return {
        text,
        digest,
        ...(mistake === undefined ? {} : { mistake: mask(sayError(mistake, locale, (text) => text)) }),
        ...(told.length === 0
          ? {}
          : { warnings: told.map((warning) => warningToWire(warning, locale, mask)) }),
      }
    },
  }
}

function unreadable(cause: unknown): BanksmanError {
  return reasonedError('invalid_configuration', reasonOf('file.unreadable'), {}, { cause })
}
