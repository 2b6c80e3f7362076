/** What people are told of the policy in force, and of a changed file that an administrator can put in force (P11). */

import type { Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { MODES } from '../../core/session.ts'
import { createTextMasks, withoutMasks } from '../../display/masks/mask-text.ts'
import type { HttpParts } from '../../http/http-parts.ts'
import type { Viewer } from '../../http/to-wire/request-to-wire.ts'
import { policyWarning } from '../../policy/compile/policy-warning.ts'
import { checkPolicyBlock } from '../../policy/language/policy-block.ts'
import type { WirePolicy } from '../../wire/types/policy.ts'
import type { LiveDirectory } from '../composition/directory.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { readCandidate } from '../configuration/configuration.ts'
import { findConfigurationText } from '../configuration/configuration-text.ts'
import { refuseSlow } from '../configuration/read-elsewhere.ts'
import { type ApplyPolicyOptions, createApplyPolicy } from './apply-policy.ts'
import { catalogueTools } from './catalogue-tools.ts'
import { createChangedPolicy, isInForce, statusOf } from './changed-policy.ts'
import { checkPolicy, type PlacedWarning } from './check-policy.ts'
import { type DescribedPolicy, describePolicy, failedTests, setsNothing } from './describe-policy.ts'
import type { PolicyInForce } from './policy-in-force.ts'
import { warningToWire } from './warning-to-wire.ts'

/**
 * Looking for what is probably not meant compares every entry with every other. An agent may have written the file, and
 * while it is looked at nobody else is served.
 */
const MAX_VALUES = 500

function isLong({ policyBlock, people }: Configuration): boolean {
  const open: unknown[] = [policyBlock, [...people]]
  let count = 0
  for (let next = open.pop(); next !== undefined && count <= MAX_VALUES; next = open.pop()) {
    count++
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).slice(0, MAX_VALUES + 1))
  }
  return count > MAX_VALUES
}

export interface PolicyPageOptions extends ApplyPolicyOptions {
  /** Who is who. */
  directory: Pick<LiveDirectory, 'current' | 'under'>
}

export function createPolicyPage(
  options: PolicyPageOptions,
): Required<Pick<HttpParts, 'policy' | 'candidatePolicy'>> {
  const { file, defaultOwner, policy: live } = options
  /** Made again where the policy, or who is who, is another than the last time. */
  let described: (DescribedPolicy & { inForce: PolicyInForce; directory: Directory }) | undefined
  const compileText = async (text: string) => {
    await refuseSlow({ text, file, defaultOwner })
    return live.compile(readCandidate(text, file, defaultOwner))
  }
  const changed = createChangedPolicy(async (text) => {
    const { configuration, policy } = await compileText(text)
    let last: { directory: Directory; warnings: readonly PlacedWarning[] } | undefined
    return {
      isEmpty: setsNothing(text),
      warnings() {
        const directory = options.directory.current()
        if (last?.directory !== directory) {
          const warnings = isLong(configuration)
            ? [policyWarning(reasonOf('warn.long'), '')]
            : checkPolicy(configuration, policy, options.directory.under(configuration)).warnings
          last = { directory, warnings }
        }
        return last.warnings
      },
    }
  })
  const apply = createApplyPolicy(options, changed)

  async function current(reader: Viewer): Promise<WirePolicy> {
    // What was trusted a moment ago is in force when this is answered. Of faults the server's own look tells.
    await options.follow().catch(() => {})
    const inForce = live.inForce()
    const found = findConfigurationText(file)
    const mask = createTextMasks()
    const directory = options.directory.current()
    if (described?.inForce !== inForce || described.directory !== directory) {
      described = {
        ...describePolicy(inForce, { file, defaultOwner, directory }),
        inForce,
        directory,
      }
    }
    // The policy in force first, so that its masks are the plain ones.
    const text = mask(described.text)
    const { policy, source, configuration } = inForce
    return {
      version: policy.version,
      source,
      file,
      status: statusOf(found, inForce),
      text,
      ...defined({
        changed: isInForce(found, inForce) ? undefined : await changed.show(found, reader, mask),
      }),
      mode: checkPolicyBlock(configuration.policyBlock).mode ?? 'default',
      modes: [...MODES],
      warnings: described.warnings.map((warning) => warningToWire(warning, reader.locale, mask)),
      tests: {
        passed: described.tests.filter(({ passed }) => passed).length,
        failed: failedTests(described, configuration.policyBlock, { locale: reader.locale, mask, policy }),
      },
      tools: catalogueTools(configuration),
    }
  }

  return {
    policy: {
      current,
      async apply(digest, reader) {
        await apply(digest, reader)
        return current(reader)
      },
    },
    async candidatePolicy(input) {
      if ('text' in input) return (await compileText(withoutMasks(input.text))).policy
      const { policy: policyBlock, tools } = input
      return live.compile({ ...live.inForce().configuration, policyBlock, tools, hasPolicy: true }).policy
    },
  }
}
