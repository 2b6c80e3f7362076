/** What a newly trusted configuration changes at once, and what only when the server is started again. */
import { digestOf } from '../../core/digest.ts'
import { CHANNELS } from '../channels/registrations.ts'
import type { Configuration } from './configuration.ts'

const channelOptions =
  (key: string) =>
  ({ channels }: Configuration) =>
    channels.find((channel) => channel.key === key)?.options

/** Rules are followed at once; what runs beside the server is not taken down under those who use it. */
const PARTS: Readonly<Record<string, (configuration: Configuration) => unknown>> = {
  agent: ({ talk }) => talk.agent,
  agents: ({ talk }) => talk.agents,
  hooks: ({ talk }) => talk.hooks,
  secretary: ({ talk }) => talk.secretary,
  ...Object.fromEntries(
    CHANNELS.filter(({ schema }) => schema !== undefined).map(({ key }) => [key, channelOptions(key)]),
  ),
  store: ({ store }) => store.text,
  postgres: ({ store }) => store.postgres,
  redis: ({ store }) => store.redis,
  'proxy.listen': ({ proxy }) => proxy.listen,
  expiresIn: ({ expiresInMs }) => expiresInMs,
  claimWithin: ({ claimWithinMs }) => claimWithinMs,
  runWithin: ({ runWithinMs }) => runWithinMs,
  limits: ({ limits }) => limits,
  "owner (who the server's own user is)": ({ owner }) => owner,
}

/** The settings that a running server keeps as they were at its start. */
export const AT_NEXT_START: readonly string[] = Object.keys(PARTS)

/** What a server was started with: a digest for each of them. */
export function startedWith(configuration: Configuration): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PARTS).map(([name, part]) => [name, digestOf(JSON.stringify(part(configuration)) ?? '')]),
  )
}

/** Those that differ. `before` may be of another version, which knew fewer. */
export function changedAtNextStart(before: Readonly<Record<string, string>>, after: Configuration): string[] {
  return Object.entries(startedWith(after)).flatMap(([name, digest]) =>
    before[name] === undefined || before[name] === digest ? [] : [name],
  )
}

export function describeAppliedChanges(before: Configuration, after: Configuration): string {
  const changed = changedAtNextStart(startedWith(before), after)
  if (changed.length === 0) return 'the newly trusted configuration is in force from now on'
  return `the policy of the newly trusted configuration is in force from now on; ${describeNextStart(changed)}`
}

export function describeNextStart(changed: readonly string[]): string {
  return `what has changed under ${changed.join(', ')} takes effect when the server is started again`
}
