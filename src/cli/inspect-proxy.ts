/** What `doctor` says of a proxy in front of the server: who counts as being on this machine depends on it. */
import type { Configuration } from '../server/configuration.ts'
import { describeListener } from '../server/proxy-configuration.ts'
import type { Finding } from './inspect-installation.ts'

export function inspectProxy({ names, proxy }: Pick<Configuration, 'names' | 'proxy'>): Finding[] {
  const about = 'proxy'
  const findings: Finding[] = []
  if (proxy.listen !== undefined) {
    const at = describeListener(proxy.listen)
    findings.push({ kind: 'ok', about, detail: `it comes in at ${at}, where everybody counts as remote` })
  }
  if (proxy.from.length > 0) {
    const from = proxy.from.join(', ')
    const detail = `a request from ${from} is refused unless X-Forwarded-For says whom it is for`
    findings.push({ kind: 'ok', about, detail })
  }
  if (findings.length > 0) {
    if (names.length > 0) return findings
    const detail = 'no name of it is known, so pages that are opened by its name are refused'
    return [...findings, { kind: 'warning', about, detail, advice: 'list its name under names:' }]
  }
  if (names.length === 0) return [{ kind: 'ok', about, detail: 'none is configured: see names: and proxy:' }]
  return [
    {
      kind: 'warning',
      about,
      detail: `the server is called ${names.join(', ')}, and it is not said where that proxy comes in: if it sends our own Host and no X-Forwarded-For, callers from anywhere count as local`,
      advice:
        'give it a listener of its own, as in proxy: { listen: 127.0.0.1:4791 }; or list its addresses under proxy.from; see docs/guide/cluster.md',
    },
  ]
}
