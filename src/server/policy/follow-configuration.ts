/** Puts a newly trusted configuration in force while the server runs (P11), and says when the file has another text than the one in force. */
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import { describeAppliedChanges } from '../configuration/configuration-changes.ts'
import { type ConfigurationSource, describeStatus } from '../configuration/configuration-source.ts'
import type { LivePolicy } from './policy-in-force.ts'

export interface ConfigurationFollower {
  /** Puts in force what is trusted now; false where it already is. */
  follow(): Promise<boolean>
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
  const { configuration, policy, gateway, announce, report, say } = options
  /** Of what the file says and what is in force: said once, until one of them changes. */
  const seenNow = () => JSON.stringify([configuration.status(), configuration.untrusted()?.digest])
  let seen = seenNow()
  return {
    async follow() {
      const before = configuration.current()
      const isNew = configuration.refresh()
      if (isNew) {
        policy.refresh()
        announce()
        const now = configuration.current()
        if (now.text !== undefined) say(describeAppliedChanges(before, now))
      }
      const found = seenNow()
      const isTold = configuration.status().kind === 'trusted' && isNew
      const isNews = found !== seen && !isTold
      seen = found
      if (isNews) say(await describeFile(options))
      return isNew
    },
    note() {
      const { digest } = configuration.current()
      gateway
        .notePolicy({ configuration: digest, trust: configuration.status().kind }, gateway.self)
        .catch((error) => report({ doing: 'putting the policy on the record', error }))
    },
  }
}

/** What became of the file, and what is in force meanwhile. */
async function describeFile({
  file,
  configuration,
  policy,
}: {
  file: string
  configuration: ConfigurationSource
  policy: LivePolicy
}): Promise<string> {
  const status = configuration.status()
  const isDemonstration = policy.inForce().source === 'demonstration'
  if (status.kind === 'absent' && isDemonstration)
    return `there is no ${file}: the demonstration's policy is in force`
  if (status.kind !== 'untrusted') return describeStatus(status, file)
  const mistake = await configuration.untrusted()?.mistake()
  if (mistake === undefined && !isDemonstration) return describeStatus(status, file)
  const meanwhile = isDemonstration
    ? "the demonstration's policy stays in force"
    : status.holding === 'built_in'
      ? 'every call needs approval'
      : 'the text that was trusted last stays in force'
  return mistake === undefined
    ? `nobody has trusted ${file} yet: ${meanwhile} until you run: banksman trust ${file}`
    : `${file} has changed and can't be used: ${meanwhile}. The mistake: ${mistake}`
}
