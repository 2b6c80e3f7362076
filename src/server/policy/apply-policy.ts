/**
 * Puts a changed configuration file in force (P11).
 *
 * An agent may be able to write the file. So a text of it counts only after a person with the role `admin` has approved
 * exactly this text, by its digest; whatever was written into the file since is another text. It is the same approval that
 * `banksman trust` takes at a terminal, and it is put on the record before it counts.
 */

import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import { createTextMasks } from '../../display/masks/mask-text.ts'
import { sayError } from '../../display/reasons/say-error.ts'
import { sayKnown } from '../../display/reasons/say-reason.ts'
import type { Viewer } from '../../http/to-wire/request-to-wire.ts'
import { readCandidate } from '../configuration/configuration.ts'
import { findConfigurationText } from '../configuration/configuration-text.ts'
import { readTrusted, writeTrusted } from '../configuration/trust.ts'
import { type ChangedPolicy, isInForce, statusOf } from './changed-policy.ts'
import type { LivePolicy } from './policy-in-force.ts'

export interface ApplyPolicyOptions {
  /** The configuration file. It need not exist. */
  file: string
  trustFolder: string
  defaultOwner: string
  policy: Pick<LivePolicy, 'inForce' | 'compile'>
  /** Puts in force what is trusted now. */
  follow(): Promise<void>
  /** Puts on the record who puts which policy in force. */
  note(input: { configuration: string; trust: string; policy: string }, actor: Actor): Promise<void>
  /** The addresses of other servers that are alive on the same store. */
  others(): Promise<string[]>
  now(): number
}

/** Puts the text in the file in force, if it is the one with this digest. */
export function createApplyPolicy(
  options: ApplyPolicyOptions,
  changed: ChangedPolicy,
): (digest: string, reader: Viewer) => Promise<void> {
  const { file, trustFolder, defaultOwner, policy, follow, note } = options
  /** One after another, so that the record has them in the order in which they were put in force. */
  let last: Promise<unknown> = Promise.resolve()

  async function apply(digest: string, reader: Viewer): Promise<void> {
    const { actor } = reader
    if (actor.role !== 'admin') {
      throw reasonedError('forbidden', reasonOf('policy.admin-only'))
    }
    refuseAmong(await options.others())
    const text = await readApproved(digest, reader)
    // A text that can't be in force must not be trusted: the mistake is told now, with its place.
    const mistake = await changed.mistakeIn(text)
    if (mistake !== undefined) {
      const { line, column } = mistake.details
      const place = line === undefined ? {} : { line, column }
      throw new BanksmanError(
        mistake.code,
        createTextMasks()(sayError(mistake, reader.locale, (text) => text)),
        place,
      )
    }
    const isTrusted = readTrusted(trustFolder, file)?.text === text
    if (isTrusted && policy.inForce().configuration.text === text) return
    const { version } = policy.compile(readCandidate(text, file, defaultOwner)).policy
    await note({ configuration: digest, trust: 'trusted', policy: version }, actor)
    await trust(text, actor)
    await follow()
  }

  /** The text in the file. Throws where it isn't the one that was approved. */
  async function readApproved(digest: string, reader: Viewer): Promise<string> {
    const found = findConfigurationText(file)
    if (found?.kind === 'unreadable')
      throw new BanksmanError('invalid_configuration', `${file}: ${sayKnown(found.mistake, reader.locale)}`)
    if (found?.digest === digest) return found.text
    const shown = isInForce(found, policy.inForce())
      ? undefined
      : await changed.show(found, reader, createTextMasks())
    throw reasonedError(
      'digest_mismatch',
      reasonOf(found === undefined ? 'policy.gone' : 'policy.changed', { file }),
      shown === undefined ? {} : { changed: shown },
    )
  }

  /** The record must not go on saying that a text is in force whose trust could not be written down. */
  async function trust(text: string, actor: Actor): Promise<void> {
    try {
      writeTrusted(trustFolder, file, text, actor.subject, options.now())
    } catch (error) {
      const inForce = policy.inForce()
      const status = statusOf(findConfigurationText(file), inForce)
      const { digest: configuration } = inForce.configuration
      await note({ configuration, trust: status, policy: inForce.policy.version }, actor)
      throw error
    }
  }

  return (digest, reader) => {
    const done = last.then(() => apply(digest, reader))
    last = done.catch(() => undefined)
    return done
  }
}

/** A file is of one machine: applied from here it would be in force on one node, and the others would go on asking. */
function refuseAmong(others: readonly string[]): void {
  if (others.length === 0) return
  const count = others.length + 1
  throw reasonedError('untrusted_configuration', reasonOf('policy.several-servers', { count, others }))
}
