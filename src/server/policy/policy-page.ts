/**
 * What people are told of the policy that holds, and how a changed file comes to hold (P11).
 *
 * The file lies where an agent may be able to write. So a text of it counts only after a person with the role `admin` has
 * said so of exactly this text, by its digest; what was written into the file since is another text. It is the same word
 * that `banksman trust` takes at a terminal, and it is put on the record before it counts.
 */
import { defined } from '../../core/defined.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import { MODES } from '../../core/session.ts'
import { createTextMasks, type MaskText, withoutMasks } from '../../display/masks/mask-text.ts'
import type { HttpParts } from '../../http/http-parts.ts'
import type { Viewer } from '../../http/to-wire/request-to-wire.ts'
import { checkPolicyBlock } from '../../policy/language/policy-block.ts'
import type { WirePolicy } from '../../wire/types/policy.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { type FoundText, findConfigurationText, readCandidate } from '../configuration/configuration-text.ts'
import { readTrusted, writeTrusted } from '../configuration/trust.ts'
import { catalogueTools } from './catalogue-tools.ts'
import { type DescribedPolicy, describePolicy, failedTests, setsNothing } from './describe-policy.ts'
import type { PolicyInForce } from './policy-in-force.ts'

export interface PolicyPageOptions {
  /** The configuration file. It need not exist. */
  file: string
  trustFolder: string
  defaultOwner: string
  held(): PolicyInForce
  /** The policy of a configuration as it would hold. */
  hold(configuration: Configuration): PolicyInForce
  /** Has what is trusted now hold, at once. */
  follow(): Promise<void>
  /** Puts it on the record who has which policy hold from now on. */
  note(input: { configuration: string; trust: string; policy: string }, actor: Actor): Promise<void>
  /** The addresses of other servers that are alive on the same store. */
  others(): Promise<string[]>
  now(): number
}

export function createPolicyPage(
  options: PolicyPageOptions,
): Required<Pick<HttpParts, 'policy' | 'candidatePolicy'>> {
  const { file, defaultOwner } = options
  const descriptions = new WeakMap<PolicyInForce, DescribedPolicy>()
  const read = createReadings((text) => options.hold(readCandidate(text, file, defaultOwner)))
  /** One after another, so that the record has them in the order in which they came to hold. */
  let last: Promise<unknown> = Promise.resolve()

  function current(reader: Viewer): WirePolicy {
    const held = options.held()
    const found = findConfigurationText(file)
    const mask = createTextMasks()
    const described = descriptions.get(held) ?? describePolicy(held, file, defaultOwner)
    descriptions.set(held, described)
    // First what holds, so that its masks are the plain ones.
    const text = mask(described.text)
    const changed = isInForce(found, held) ? undefined : changedTo(found, reader, mask)
    const { policy, source, configuration } = held
    return {
      version: policy.version,
      source,
      file,
      status: statusOf(found, held),
      text,
      ...defined({ changed }),
      mode: checkPolicyBlock(configuration.policyBlock).mode ?? 'default',
      modes: [...MODES],
      warnings: described.warnings.map((warning) => ({ ...warning, message: mask(warning.message) })),
      tests: {
        passed: described.tests.filter(({ passed }) => passed).length,
        failed: failedTests(described, configuration.policyBlock, { locale: reader.locale, mask, policy }),
      },
      tools: catalogueTools(configuration),
    }
  }

  function changedTo(
    found: FoundText | undefined,
    { actor }: Viewer,
    mask: MaskText,
  ): WirePolicy['changed'] | undefined {
    if (found === undefined) return undefined
    if (found.kind === 'unreadable') return { text: '', digest: '', mistake: found.mistake }
    const { digest } = found
    const { mistake, isEmpty } = read(found.text)
    // What is no configuration may be any file of the server's that somebody has put a link to in its place. Nor is one
    // in which nothing is set: a file that has only comments may be of anybody's.
    const text = actor.role === 'admin' || (mistake === undefined && !isEmpty) ? mask(found.text) : ''
    return { text, digest, ...(mistake === undefined ? {} : { mistake: mask(mistake.message) }) }
  }

  async function apply(digest: string, reader: Viewer): Promise<WirePolicy> {
    const { actor } = reader
    if (actor.role !== 'admin') {
      throw new BanksmanError('forbidden', 'only a person with the role admin can put a policy into force')
    }
    await refuseAmongOthers()
    const found = findConfigurationText(file)
    if (found?.kind === 'unreadable')
      throw new BanksmanError('invalid_configuration', `${file}: ${found.mistake}`)
    if (found?.digest !== digest) {
      const changed = isInForce(found, options.held())
        ? undefined
        : changedTo(found, reader, createTextMasks())
      const why =
        found === undefined ? 'is not there any more' : 'has another text by now than the one that was shown'
      throw new BanksmanError(
        'digest_mismatch',
        `${file} ${why}; look at it again`,
        changed === undefined ? {} : { changed },
      )
    }
    // A text that can't hold must not be trusted: the mistake is told now, with its place.
    const { mistake } = read(found.text)
    if (mistake !== undefined) {
      const { code, message, details } = mistake
      const { line, column } = details
      throw new BanksmanError(code, createTextMasks()(message), line === undefined ? {} : { line, column })
    }
    const isTrusted = readTrusted(options.trustFolder, file)?.text === found.text
    if (!isTrusted || !isInForce(found, options.held())) {
      const { policy } = options.hold(readCandidate(found.text, file, defaultOwner))
      await options.note({ configuration: digest, trust: 'trusted', policy: policy.version }, actor)
      await trust(found.text, actor)
      await options.follow()
    }
    return current(reader)
  }

  /** A file is of one machine: from here it would hold on one node, and what that allows another would go on asking. */
  async function refuseAmongOthers(): Promise<void> {
    const others = await options.others()
    if (others.length === 0) return
    throw new BanksmanError(
      'untrusted_configuration',
      `this is one of ${others.length + 1} servers on the same store (${others.join(', ')} too), and each has a configuration file of its own; put the same text into the file of every one of them and run \`banksman trust\` there`,
    )
  }

  /** The record must not go on saying that a text holds whose trust could not be written down. */
  async function trust(text: string, actor: Actor): Promise<void> {
    try {
      writeTrusted(options.trustFolder, file, text, actor.subject, options.now())
    } catch (error) {
      const { configuration, policy } = options.held()
      const trusted = statusOf(findConfigurationText(file), options.held())
      await options.note(
        { configuration: configuration.digest, trust: trusted, policy: policy.version },
        actor,
      )
      throw error
    }
  }

  return {
    policy: {
      current,
      apply(digest, reader) {
        const done = last.then(() => apply(digest, reader))
        last = done.catch(() => undefined)
        return done
      },
    },
    candidatePolicy(input) {
      if ('text' in input) {
        return options.hold(readCandidate(withoutMasks(input.text), file, defaultOwner)).policy
      }
      const { policy: policyBlock, tools } = input
      return options.hold({ ...options.held().configuration, policyBlock, tools, hasPolicy: true }).policy
    },
  }
}

function isInForce(found: FoundText | undefined, { configuration }: PolicyInForce): boolean {
  return found?.kind === 'text' && found.text === configuration.text
}

function statusOf(found: FoundText | undefined, held: PolicyInForce): WirePolicy['status'] {
  if (found === undefined) return held.configuration.text === undefined ? 'absent' : 'gone'
  return isInForce(found, held) ? 'trusted' : 'untrusted'
}

/** Reading a long text takes a while, and a page is looked at more often than a file is changed. */
function createReadings(read: (text: string) => unknown): (text: string) => Reading {
  let known: (Reading & { text: string }) | undefined
  return (text) => {
    if (known?.text !== text) {
      const mistake = mistakeOf(() => read(text))
      known = { text, mistake, isEmpty: mistake === undefined && setsNothing(text) }
    }
    return known
  }
}

interface Reading {
  mistake: BanksmanError | undefined
  /** It can hold, and says nothing. */
  isEmpty: boolean
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
