/** Whether a host is this machine, in any of the forms that programs take for it. */

const NAMES = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost6',
  'ip6-localhost',
  'ip6-loopback',
  'loopback',
  // From inside a container, these are the machine around it.
  'host.docker.internal',
  'gateway.docker.internal',
  'host.containers.internal',
])

/** The host in lower case, an IPv6 address without its brackets. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/\.$/, '').replace(/%.*$/, '')
  if (NAMES.has(name) || name.endsWith('.localhost')) return true
  const address = name.includes(':') ? embeddedIpv4(name) : ipv4Of(name)
  // 0.0.0.0 reaches this machine too on most systems, and so does all of 127.0.0.0/8.
  return address !== undefined && (address === 0 || address >>> 24 === 127)
}

/** As `inet_aton` reads it: one to four parts, each decimal, octal or hexadecimal, the last one filling up. */
function ipv4Of(text: string): number | undefined {
  const parts = text.split('.')
  if (parts.length > 4) return undefined
  let address = 0
  for (const [index, part] of parts.entries()) {
    if (!/^(?:0x[0-9a-f]*|[0-9]+)$/.test(part)) return undefined
    const value = part === '0x' ? 0 : /^0[0-7]+$/.test(part) ? Number.parseInt(part, 8) : Number(part)
    const last = index === parts.length - 1
    const room = last ? 256 ** (4 - index) : 256
    if (value >= room) return undefined
    address += last ? value : value * 256 ** (3 - index)
  }
  return address
}

/** `::` as 0, `::1` as 127.0.0.1, and the IPv4 address in `::ffff:a.b.c.d` and its like. */
function embeddedIpv4(text: string): number | undefined {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  const low = tail === null ? undefined : ipv4Of(tail[2] ?? '')
  if (tail !== null && low === undefined) return undefined
  const whole =
    low === undefined ? text : `${tail?.[1]}${(low >>> 16).toString(16)}:${(low & 0xffff).toString(16)}`
  const halves = whole.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const [head = [], rest] = halves
  if (halves.length > 2) return undefined
  const missing = 8 - head.length - (rest?.length ?? 0)
  if (rest === undefined ? missing !== 0 : missing < 0) return undefined
  const groups = [...head, ...Array<string>(rest === undefined ? 0 : missing).fill('0'), ...(rest ?? [])]
  if (groups.length !== 8 || !groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return undefined
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  if (numbers.slice(0, 5).some((number) => number !== 0)) return undefined
  const [mapped = 0, high = 0, end = 0] = numbers.slice(5)
  if (mapped !== 0 && mapped !== 0xffff) return undefined
  const address = high * 65536 + end
  return mapped === 0 && address === 1 ? 0x7f000001 : address
}
