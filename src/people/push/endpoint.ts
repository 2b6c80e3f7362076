/**
 * Where pushes may go. The address of a subscription comes from a browser, so whoever may subscribe could otherwise
 * have the server call any address it can reach. Only push services that are known, or that the configuration names.
 */
import { BanksmanError } from '../../core/errors.ts'

/** The push services of Chrome and its kin, Firefox, Safari and Edge. */
const KNOWN_SERVICES: readonly string[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

const MAX_LENGTH = 2048
const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/** What may stand for the star: names that a host can have, and at least one. */
const LABELS = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/

/** A host, with its port where it is not the usual one: what may stand under `push.services`. */
export const SERVICE = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:]+\])(?::\d{1,5})?$/

/** The address as it will be called. `services` are further hosts, as in `push.example.org` or `127.0.0.1:8090`. */
export function checkEndpoint(text: string, services: readonly string[]): URL {
  const url = text.length <= MAX_LENGTH && URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) throw refused('the endpoint must be the address that the browser gave')
  if (url.username !== '' || url.password !== '')
    throw refused('the endpoint must carry no user and password')
  if (url.hash !== '') throw refused('the endpoint must have no fragment')
  if (services.includes(url.host)) {
    // Whoever reads such an address can push in our name: in the clear it stays on this machine.
    if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return url
    throw refused('the endpoint must be https, or http on this machine itself')
  }
  const isKnown = url.port === '' && KNOWN_SERVICES.some((pattern) => fits(url.hostname, pattern))
  if (url.protocol === 'https:' && isKnown) return url
  throw refused(
    `the endpoint must be https and at a known push service (${KNOWN_SERVICES.join(', ')}); name another under push.services in the configuration`,
  )
}

function fits(host: string, pattern: string): boolean {
  if (!pattern.startsWith('*.')) return host === pattern
  const end = pattern.slice(1)
  return host.endsWith(end) && LABELS.test(host.slice(0, -end.length))
}

function refused(message: string): BanksmanError {
  return new BanksmanError('invalid', message)
}
