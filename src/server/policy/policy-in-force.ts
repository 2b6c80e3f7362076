/** The policy in force under a configuration, and where it comes from: not everybody has written one. */

import { DEFAULT_PET_POLICY } from '../../people/pet/pet-policy.ts'
import type { OwnHouse } from '../../policy/built-in-denies/compile-built-in-denies.ts'
import type { Policy } from '../../policy/policy.ts'
import type { WirePolicy } from '../../wire/types/policy.ts'
import { type Configuration, compileConfigured } from '../configuration/configuration.ts'
import type { ConfigurationSource } from '../configuration/configuration-source.ts'
import type { ConnectedFiles } from './connected-files.ts'

export interface PolicyInForce {
  policy: Policy
  source: WirePolicy['source']
  /** With the block that was compiled. */
  configuration: Configuration
}

export interface LivePolicyOptions {
  configuration: Pick<ConfigurationSource, 'current' | 'status'>
  /** What no call may touch under this configuration (P11). */
  protectedResources(configuration: Configuration): OwnHouse
  /** Part of it, which changes while the server runs. */
  connected?: Pick<ConnectedFiles, 'refresh'>
  /** In force in place of the built-in policy, where there is no configuration file. */
  preset?: object | undefined
  /** Where work is done under the preset. */
  presetRoots?: readonly string[] | undefined
}

export interface LivePolicy {
  inForce(): PolicyInForce
  /** The policy itself. */
  current(): Policy
  /** Puts the policy of the current configuration in force. Throws, and changes nothing, where that is invalid. */
  refresh(): void
  /** The policy of another configuration, as it would be in force. */
  compile(configuration: Configuration): PolicyInForce
}

export function createLivePolicy(options: LivePolicyOptions): LivePolicy {
  const { configuration, protectedResources, connected, preset, presetRoots } = options
  const compile = (candidate: Configuration, isAbsent = false): PolicyInForce => {
    const compiled = (source: PolicyInForce['source'], policyBlock: unknown): PolicyInForce => {
      const isPreset = source === 'demonstration' && presetRoots !== undefined
      const roots = isPreset ? [...presetRoots] : candidate.roots
      const whole = { ...candidate, roots, policyBlock }
      const policy = compileConfigured(whole, { ownHouse: protectedResources(candidate) })
      return { policy, source, configuration: whole }
    }
    if (isAbsent && preset !== undefined) return compiled('demonstration', preset)
    // A file that opens the pet's chat and says nothing of the policy means the pet's own.
    const hasPet = candidate.channels.some(({ key }) => key === 'pet')
    if (!candidate.hasPolicy && hasPet) return compiled('pet', DEFAULT_PET_POLICY)
    return compiled(candidate.text === undefined ? 'built_in' : 'file', candidate.policyBlock)
  }
  const compileCurrent = () => compile(configuration.current(), configuration.status().kind === 'absent')
  let compiledNow = compileCurrent()
  let isStale = false
  const inForce = () => {
    if (connected?.refresh()) isStale = true
    if (isStale) compiledNow = compileCurrent()
    isStale = false
    return compiledNow
  }
  return {
    inForce,
    current: () => inForce().policy,
    refresh() {
      compiledNow = compileCurrent()
    },
    compile: (candidate) => compile(candidate),
  }
}
