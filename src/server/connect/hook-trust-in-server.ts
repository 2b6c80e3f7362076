/** Whom a hook believes: for `banksman connect` before it writes, and for `banksman doctor` afterwards. */
import type { HookServer } from '../../coding-agents/setup/agent-setup.ts'

export interface HookBelief {
  kind: 'own' | 'plain'
  message: string
  advice: string
}

/** `url`: where the agent sends its events itself. Undefined: only the server can answer. */
export function beliefOf({
  server,
  url,
}: {
  server: HookServer
  url?: string | undefined
}): HookBelief | undefined {
  if (url !== undefined)
    return {
      kind: 'own',
      message: `it sends its events to ${url} itself, and believes whoever answers there`,
      advice:
        'that is meant for a server that runs as the same user; `banksman connect` with --script uses the Unix socket instead',
    }
  if (server.kind === 'socket' || server.url.startsWith('https:')) return undefined
  return {
    kind: 'plain',
    message: `the hook goes to ${server.url} without TLS: whoever answers there decides about its calls, and whoever listens on the way can read its token`,
    advice: 'put TLS in front of the server, or connect on the machine where the server runs',
  }
}
