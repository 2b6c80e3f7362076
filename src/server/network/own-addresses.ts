/** Every name by which this machine itself calls the server; any other Host is a page of someone else's. */
import { hostname, networkInterfaces } from 'node:os'

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

export function hostsOf(host: string, port: number): string[] {
  const loopback = ['127.0.0.1', 'localhost', '::1'].includes(host)
  const everywhere = ['0.0.0.0', '::'].includes(host)
  const names = loopback
    ? LOOPBACK_NAMES
    : everywhere
      ? [...LOOPBACK_NAMES, ...ownNames()]
      : [bracketed(host)]
  return names.map((each) => `${each}:${port}`)
}

/** The addresses that no agent may name: this machine too, whatever the server listens on, and every name of ours. */
export function ownAddresses(hosts: readonly string[], names: readonly string[]): string[] {
  const here = hosts.map((host) => `127.0.0.1${host.slice(host.lastIndexOf(':'))}`)
  const called = names.flatMap((name) =>
    /:\d+$/.test(name) ? [name] : [`http://${name}`, `https://${name}`],
  )
  return [...new Set([...hosts, ...here, ...called])]
}

/**
 * The address by which people call a server that has other names: the first of them. A proxy for other machines has TLS;
 * only a name of this machine is called without.
 */
export function publicUrlOf([name]: readonly string[]): string | undefined {
  if (name === undefined) return undefined
  const host = name.replace(/:\d+$/, '')
  return `${LOOPBACK_NAMES.includes(host) ? 'http' : 'https'}://${name}`
}

/** The addresses and the name of this machine, for a server that listens on all of them. */
function ownNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return [
    hostname(),
    ...addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  ]
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
