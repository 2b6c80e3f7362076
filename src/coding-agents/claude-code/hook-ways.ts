/**
 * What gets between Claude Code and our server by its environment. A project's settings can set variables, and they count for the hooks:
 * events that it sends itself go through a proxy, which may answer in the server's place and reads the token; and every command, a
 * hook's too, is handed to the program that `CLAUDE_CODE_SHELL_PREFIX` names.
 */
import type { JsonObject } from '../../core/json/json.ts'
import { isObject } from '../setup/hook-groups.ts'

export type Variables = Readonly<Record<string, string | undefined>>

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']
const PREFIX = 'CLAUDE_CODE_SHELL_PREFIX'

/** Why hooks don't get to the server on their own. `url`: where Claude Code sends events itself. */
export function divertedBy(variables: Variables, url: string | undefined): string | undefined {
  if (variables[PREFIX]) return `${PREFIX} puts another program in front of every command and hook`
  return url === undefined ? undefined : proxiedBy(variables, url)
}

export function proxiedBy(variables: Variables, url: string): string | undefined {
  const proxy = PROXIES.find((name) => variables[name])
  if (proxy === undefined || isSpared(variables, new URL(url))) return undefined
  return `${proxy} sends its events through a proxy, which can answer in the server's place and reads the token`
}

/** The variables that a settings file adds. */
export function variablesOf({ env }: JsonObject): Variables {
  if (!isObject(env)) return {}
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))
}

function isSpared({ NO_PROXY = '', no_proxy = '' }: Variables, { hostname, host }: URL): boolean {
  const entries = [NO_PROXY, no_proxy].flatMap((list) => list.toLowerCase().split(/[,\s]+/))
  return NO_PROXY === '*' || no_proxy === '*' || entries.includes(hostname) || entries.includes(host)
}
