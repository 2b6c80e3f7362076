/** How the text that is in the configuration file now differs from the policy in force. */
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { MaskText } from '../../display/masks/mask-text.ts'
import type { Viewer } from '../../http/to-wire/request-to-wire.ts'
import type { WirePolicy } from '../../wire/types/policy.ts'
import type { FoundText } from '../configuration/configuration-text.ts'
import { setsNothing } from './describe-policy.ts'
import type { PolicyInForce } from './policy-in-force.ts'

export function isInForce(found: FoundText | undefined, { configuration }: PolicyInForce): boolean {
  return found?.kind === 'text' && found.text === configuration.text
}

export function statusOf(found: FoundText | undefined, inForce: PolicyInForce): WirePolicy['status'] {
  if (found === undefined) return inForce.configuration.text === undefined ? 'absent' : 'gone'
  return isInForce(found, inForce) ? 'trusted' : 'untrusted'
}

export interface ChangedPolicy {
  /** Why a text can't be put in force. */
  mistakeIn(text: string): BanksmanError | undefined
  /** What a person is shown of the text in the file. */
  show(found: FoundText | undefined, reader: Viewer, mask: MaskText): WirePolicy['changed'] | undefined
}

/** `compile` throws where a text can't be put in force. */
export function createChangedPolicy(compile: (text: string) => unknown): ChangedPolicy {
  /** Reading a long text takes a while, and a page is looked at more often than a file is changed. */
  let known: { text: string; mistake: BanksmanError | undefined; isEmpty: boolean } | undefined

  function read(text: string): NonNullable<typeof known> {
    if (known?.text !== text) {
      const mistake = mistakeOf(() => compile(text))
      known = { text, mistake, isEmpty: mistake === undefined && setsNothing(text) }
    }
    return known
  }

  return {
    mistakeIn: (text) => read(text).mistake,
    show(found, { actor }, mask) {
      if (found === undefined) return undefined
      if (found.kind === 'unreadable') return { text: '', digest: '', mistake: found.mistake }
      const { digest } = found
      const { mistake, isEmpty } = read(found.text)
      // A file that is no configuration may be any file of the server's, which somebody has put a link to in its place.
      // So may one in which nothing is set: it has only comments. Only an administrator sees such a text.
      const text = actor.role === 'admin' || (mistake === undefined && !isEmpty) ? mask(found.text) : ''
      return { text, digest, ...(mistake === undefined ? {} : { mistake: mask(mistake.message) }) }
    },
  }
}

function mistakeOf(read: () => unknown): BanksmanError | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (isBanksmanError(error)) return error
    return new BanksmanError('invalid_configuration', 'it could not be read', {}, { cause: error })
  }
}
