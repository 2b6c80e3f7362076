/** The policy in force, written out for people: as a text, with what there is to say of it and where in that text. */

import { isCollection } from 'yaml'
import type { Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import type { MaskText } from '../../display/masks/mask-text.ts'
import { renderCall } from '../../display/render.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { PolicyBlock } from '../../policy/language/language.ts'
import { checkPolicyBlock } from '../../policy/language/policy-block.ts'
import type { Policy } from '../../policy/policy.ts'
import type { WireFailedTest } from '../../wire/types/policy.ts'
import { type Configuration, readConfiguration } from '../configuration/configuration.ts'
import { readYaml } from '../host/read-yaml.ts'
import { type CheckedPolicy, checkPolicy } from './check-policy.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import { policyText } from './policy-text.ts'

export interface DescribedPolicy extends CheckedPolicy {
  /** A whole configuration file, as it is or as it would be. */
  text: string
  locate: Configuration['locate']
}

export function describePolicy(
  held: PolicyInForce,
  { file, defaultOwner, directory }: { file: string; defaultOwner: string; directory: Directory },
): DescribedPolicy {
  const text = textOf(held, file, defaultOwner)
  const { locate } = readConfiguration(text, file, defaultOwner)
  return { text, locate, ...checkPolicy({ ...held.configuration, locate }, held.policy, directory) }
}

export function failedTests(
  { tests, locate }: DescribedPolicy,
  policyBlock: unknown,
  { locale, mask, policy }: { locale: Locale; mask: MaskText; policy: Policy },
): WireFailedTest[] {
  const written = checkPolicyBlock(policyBlock).tests
  return tests.flatMap(({ passed, pointer, tool, expected, found }, index) => {
    if (passed) return []
    const call = { tool, arguments: written[index]?.call.arguments ?? {} }
    const line = locate(pointer)?.line
    return {
      call: renderCall(call, { locale, known: policy.knownTool(call) }).summary,
      expected:
        expected.rule === undefined ? expected.verdict : mask(`${expected.verdict} (${expected.rule})`),
      found: mask(`${found.verdict}. ${found.because}`),
      ...defined({ line }),
    }
  })
}

/** Whether a text that can be read as a configuration has no members: it is empty, or only comments. */
export function setsNothing(text: string): boolean {
  const { contents } = readYaml(text)
  return !isCollection(contents) || contents.items.length === 0
}

function textOf({ source, configuration }: PolicyInForce, file: string, defaultOwner: string): string {
  const { text = '', policyBlock } = configuration
  switch (source) {
    case 'file':
      return text
    case 'built_in':
      return written({ mode: 'default' }, 'a server whose file nobody has trusted: every call needs approval')
    case 'demonstration':
      return written(
        policyBlock,
        'the demonstration, which is in force as long as there is no configuration file',
      )
    case 'pet': {
      const own = written(
        policyBlock,
        'the pet channel, which is in force because nobody has written another',
      )
      const whole = `${text.trimEnd()}\n\n${own}`
      // Not every way of writing YAML can be gone on with at its end.
      return isReadable(whole, file, defaultOwner) ? whole : own
    }
  }
}

function written(block: unknown, of: string): string {
  return policyText({ block: block as PolicyBlock, notes: [] }, of)
}

function isReadable(text: string, file: string, defaultOwner: string): boolean {
  try {
    readConfiguration(text, file, defaultOwner)
    return true
  } catch {
    return false
  }
}
