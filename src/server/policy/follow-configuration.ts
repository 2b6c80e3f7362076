/** Puts a newly trusted configuration in force while the server runs (P11). */
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { describeAppliedChanges } from '../configuration/configuration-changes.ts'
import { type ConfigurationSource, describeStatus } from '../configuration/configuration-source.ts'
import type { LivePolicy } from './policy-in-force.ts'

export interface ConfigurationFollower {
  /** Puts in force what is trusted now; false where it already is. */
  follow(): boolean
  /** Puts on the record which policy is in force. */
  note(): void
}

export function createConfigurationFollower(options: {
  file: string
  configuration: ConfigurationSource
  policy: LivePolicy
  gateway: Pick<Gateway, 'notePolicy' | 'self'>
  /** Rewrites what the command line is told of this server. */
  announce(): void
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}): ConfigurationFollower {
  const { file, configuration, policy, gateway, announce, report, say } = options
  return {
    follow() {
      const before = configuration.current()
      if (!configuration.refresh()) return false
      policy.refresh()
      announce()
      const now = configuration.current()
      say(
        now.text === undefined
          ? describeStatus(configuration.status(), file)
          : describeAppliedChanges(before, now),
      )
      return true
    },
    note() {
      const { digest } = configuration.current()
      gateway
        .notePolicy({ configuration: digest, trust: configuration.status().kind }, gateway.self)
        .catch((error) => report({ doing: 'putting the policy on the record', error }))
    },
  }
}
