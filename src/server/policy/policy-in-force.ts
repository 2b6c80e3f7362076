/** The policy that holds under a configuration, and where it comes from: not everybody has written one. */

import { DEFAULT_PET_POLICY } from '../../people/pet/pet-policy.ts'
import type { OwnHouse, Policy } from '../../policy/index.ts'
import type { WirePolicy } from '../../wire/types/history.ts'
import { type Configuration, compileConfigured } from '../configuration/configuration.ts'

export interface PolicyInForce {
  policy: Policy
  source: WirePolicy['source']
  /** With the block that was compiled. */
  configuration: Configuration
}

export interface PolicyInForceOptions {
  ownHouse: OwnHouse
  /** There is no text that holds, so that what is built in does. */
  isAbsent: boolean
  /** Holds in place of what is built in. */
  preset?: object | undefined
  /** Where work is done under the preset. */
  presetRoots?: readonly string[] | undefined
}

export function compilePolicyInForce(
  configuration: Configuration,
  options: PolicyInForceOptions,
): PolicyInForce {
  const { ownHouse, isAbsent, preset, presetRoots } = options
  const held = (source: PolicyInForce['source'], policyBlock: unknown): PolicyInForce => {
    const isPreset = source === 'demonstration' && presetRoots !== undefined
    const roots = isPreset ? [...presetRoots] : configuration.roots
    const compiled = { ...configuration, roots, policyBlock }
    return { policy: compileConfigured(compiled, { ownHouse }), source, configuration: compiled }
  }
  if (isAbsent && preset !== undefined) return held('demonstration', preset)
  // A file without a word on the policy that has people talk to a pet means the pet's own.
  if (!configuration.hasPolicy && configuration.talk.pet !== undefined) return held('pet', DEFAULT_PET_POLICY)
  return held(configuration.text === undefined ? 'built_in' : 'file', configuration.policyBlock)
}
