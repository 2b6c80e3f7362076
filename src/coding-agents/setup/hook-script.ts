/**
 * The script that an agent runs as its hook. It sends the event to the server and prints the answer. Agents make the call when a hook
 * fails in a way that they don't know, so whatever is not plainly an answer ends with exit code 2 and a reason.
 *
 * It takes nothing from the environment: an agent's commands may have a say in that. `-q` leaves `.curlrc` out, which a call could have
 * written.
 */
import type { HookServer } from './agent-setup.ts'
import { shellWord } from './shell-word.ts'

export interface HookScript {
  agent: string
  title: string
  server: HookServer
  /** With curl: a file with the header line. Without: one with the token. */
  tokenFile: string
  /** Absolute. */
  sender: { kind: 'curl'; program: string } | { kind: 'node'; command: readonly string[] }
  /** How long the agent lets the hook run. */
  timeoutMs: number
}

/** Less than the agent's own limit: what it kills it takes for a failure. */
const BEFORE_LIMIT_S = 5
/** For what only tells. */
const AFTER_S = 5

export function hookScript({ agent, title, server, tokenFile, sender, timeoutMs }: HookScript): string {
  const seconds = Math.floor(timeoutMs / 1000) - BEFORE_LIMIT_S
  return `#!/bin/sh
# The hook of Banksman for ${title}. \`banksman connect ${agent}\` wrote it, and \`banksman disconnect ${agent}\` removes it.
# It asks the server about a call. Whatever isn't plainly an answer ends with exit code 2 and a reason: the call isn't made then.
# With the word "after" it only reports, and nothing that goes wrong gets in the agent's way. What reads it may want other exit codes
# for an answer and for a no, so that it can tell them from those of a broken script.
phase=\${1:-before}
limit=${seconds}
if [ "$phase" = after ]; then limit=${AFTER_S}; fi
refuse() {
  if [ "$phase" = after ]; then exit 0; fi
  printf 'Banksman: not allowed: %s\\n' "$1" >&2
  exit "\${no:-2}"
}
# curl would go without it.
if [ ! -r ${shellWord(tokenFile)} ]; then refuse 'the file with its token is gone; a person has to run: banksman connect ${agent}'; fi
line='
'
${sendLines(sender, server, tokenFile, agent)}
case $body in
  '{'*'}') printf '%s\\n' "$body" || refuse 'the answer could not be written' ;;
  *) refuse 'the server did not answer in a form that is known' ;;
esac
exit "\${ok:-0}"
`
}

function sendLines(
  sender: HookScript['sender'],
  server: HookServer,
  tokenFile: string,
  agent: string,
): string {
  if (sender.kind === 'node') {
    const place = server.kind === 'socket' ? ['--socket', server.path] : ['--url', server.url]
    const command = [...sender.command, 'hook', agent, ...place, '--token-file', tokenFile, '--within']
    // Node takes options and programs from these. What goes wrong it says itself.
    return `unset NODE_OPTIONS NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED
if [ "$phase" = after ]; then exec 2> /dev/null; fi
body=$(${command.map(shellWord).join(' ')} "\${limit}s") || refuse 'the server did not answer'`
  }
  const [options, origin] =
    server.kind === 'socket'
      ? [` --unix-socket ${shellWord(server.path)}`, 'http://banksman']
      : ['', server.url.replace(/\/+$/, '')]
  const header = shellWord(`@${tokenFile}`)
  const address = shellWord(`${origin}/v1/hooks/${agent}`)
  return `answer=$(${shellWord(sender.program)} -q -s --noproxy '*' --max-time "$limit" --connect-timeout 5${options} \\
  -H ${header} -H 'content-type: application/json' -H 'expect:' --data-binary @- -w '\\n%{http_code}' ${address})
code=$?
case $code in
  0) ;;
  7) refuse 'the server is not running; start it with: banksman start' ;;
  28) refuse 'the server did not answer in time' ;;
  *) refuse "the server did not answer (curl: $code)" ;;
esac
status=\${answer##*"$line"}
body=\${answer%"$line"*}
case $status in
  200) ;;
  401 | 403) refuse 'the token of this hook is not valid; a person has to run: banksman connect ${agent}' ;;
  *) refuse "the server answered with status $status" ;;
esac`
}
