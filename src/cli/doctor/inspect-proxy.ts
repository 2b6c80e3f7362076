/** What `doctor` says of a proxy in front of the server: who counts as being on this machine depends on it. */
import { request } from 'node:http'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import type { Configuration } from '../../server/configuration/configuration.ts'
import {
  describeListener,
  loopbackRanges,
  type ProxyListener,
  proxyWarnings,
} from '../../server/configuration/proxy-configuration.ts'
import type { ServerFile } from '../../server/installation/data-folder.ts'

const { ok, warning, problem } = findingsAbout('proxy')

/** @param server The one that runs, which may have been started before the file said what it says. */
export async function inspectProxy(
  { names, proxy }: Pick<Configuration, 'names' | 'proxy'>,
  server: Pick<ServerFile, 'url'> | undefined,
): Promise<Finding[]> {
  const findings = [...(await inspectListener(proxy.listen, server)), ...inspectFrom(proxy, server)]
  if (findings.length > 0) {
    if (names.length > 0) return findings
    const detail = 'its name is not configured, so pages opened under that name are refused'
    return [...findings, warning(detail, 'list its name under names:')]
  }
  if (names.length === 0)
    return [
      ok('no proxy is configured; to put one in front of the server, set names: and proxy: in banksman.yaml'),
    ]
  return [
    warning(
      `the server has the name ${names.join(', ')}, but it isn't configured where the proxy connects: if the proxy sends the server's own Host and no X-Forwarded-For, callers from anywhere count as local`,
      'give it its own listener, as in proxy: { listen: 127.0.0.1:4791 }; or list its addresses under proxy.from; see docs/guide/cluster.md',
    ),
  ]
}

async function inspectListener(
  listener: ProxyListener | undefined,
  server: Pick<ServerFile, 'url'> | undefined,
): Promise<Finding[]> {
  if (listener === undefined) return []
  const at = describeListener(listener)
  // Port 0 is another one at every start, which nobody here knows.
  const isKnown = 'path' in listener || listener.port !== 0
  if (server !== undefined && isKnown && !(await answers(listener))) {
    return [
      problem(
        `the running server doesn't answer at ${at}, which proxy.listen names`,
        'proxy.listen takes effect when the server starts: restart it',
      ),
    ]
  }
  return [ok(`it connects at ${at}, where every caller counts as remote`)]
}

function inspectFrom(proxy: Configuration['proxy'], server: Pick<ServerFile, 'url'> | undefined): Finding[] {
  const { from } = proxy
  if (from.length === 0) return []
  const detail = `a request from ${from.join(', ')} is refused unless X-Forwarded-For names the caller`
  const findings: Finding[] = [ok(detail)]
  for (const { message } of proxyWarnings(proxy)) findings.push(warning(message))
  const local = loopbackRanges(from)
  const outside = from.filter((range) => !local.includes(range))
  if (server !== undefined && outside.length > 0 && isLoopbackUrl(server.url)) {
    findings.push(
      warning(
        `the server listens only on this machine, at ${server.url}, which ${outside.join(', ')} can't reach`,
        'list the address from which the proxy connects; or start the server with --host and an address that the proxy can reach',
      ),
    )
  }
  return findings
}

function isLoopbackUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/[[\]]/g, '')
  return host === 'localhost' || loopbackRanges([host]).length > 0
}

const WITHIN_MS = 5000

/** Whether a server like ours is there. */
function answers(listener: ProxyListener): Promise<boolean> {
  const target =
    'path' in listener
      ? { socketPath: listener.path, headers: { host: 'localhost' } }
      : { host: reachable(listener.host), port: listener.port }
  return new Promise((resolve) => {
    const asked = request(
      { ...target, path: '/healthz', signal: AbortSignal.timeout(WITHIN_MS) },
      async (response) => {
        const pieces = await response
          .setEncoding('utf8')
          .toArray()
          .catch(() => [])
        resolve(/"status"\s*:\s*"ok"/.test(pieces.join('')))
      },
    )
    asked.on('error', () => resolve(false)).end()
  })
}

/** Whoever listens everywhere is there on loopback too. */
function reachable(host: string): string {
  return host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
}
