/** `banksman start` */

import { resolve } from 'node:path'
import { defined } from '../../core/defined.ts'
import { describeStatus } from '../../server/configuration/configuration-source.ts'
import type { Server } from '../../server/start-server.ts'
import { type Context, defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONFIG_OPTION, CONFIGURATION_NAME, configurationPath } from '../connection/configuration-file.ts'
import { DEFAULT_PORT, defaultServerAddress, portOf } from '../connection/server-address.ts'
import { EXIT, type ExitCode, usageError } from '../output/failures.ts'
import { createLog } from '../output/log.ts'
import { safeJson } from '../output/safe-text.ts'
import { untilStopped } from './until-stopped.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '::1']

export const start = defineCommand({
  about: `Starts the server and keeps running until you stop it with Ctrl-C. In a terminal it prints a link that logs your browser in to the
inbox; \`banksman login\` prints another one at any time. It also prints where the token for your agent is.

All data is kept in the data folder, or in the store that --store names: after a restart every request is still there. Only one
server at a time can use a data folder; several can share a store in Postgres or Redis.

The policy is in ${CONFIGURATION_NAME}. Without that file every call needs approval. A new or changed file takes effect after
\`banksman trust\`, which keeps its record in BANKSMAN_HOME (default: ~/.config/banksman).

The server has an agent if agent.model in ${CONFIGURATION_NAME} names a model. If it names none, the first of these variables counts:
ANTHROPIC_API_KEY (ANTHROPIC_BASE_URL sets another address), OPENAI_BASE_URL (OPENAI_API_KEY is its key), OLLAMA_HOST.
BANKSMAN_MODEL names the model to use instead of the default one.`,
  options: {
    port: {
      kind: 'text',
      value: 'NUMBER',
      about: `the port to listen on (default: BANKSMAN_PORT, or ${DEFAULT_PORT}); 0 takes any free one`,
    },
    host: {
      kind: 'text',
      value: 'ADDRESS',
      about:
        'the address to listen on (default: 127.0.0.1). Any other can be reached by other machines, without encryption',
    },
    data: {
      kind: 'text',
      value: 'FOLDER',
      about: 'the data folder (default: BANKSMAN_DATA, or .banksman in the current folder)',
    },
    ...CONFIG_OPTION,
    store: {
      kind: 'text',
      value: 'STORE',
      about: `the store: sqlite:FILE, postgres://…, redis://… or memory:, with \${NAME} in place of a password (default: BANKSMAN_STORE, or store: in ${CONFIGURATION_NAME}, or a database in the data folder)`,
    },
    demo: {
      kind: 'flag',
      about: `also run a demonstration agent that needs no key and no network. If there is no ${CONFIGURATION_NAME}, it brings a policy of its own`,
    },
    'login-link': {
      kind: 'flag',
      about: 'print the login link even if the output is not a terminal. Whoever reads it first can log in',
    },
    'no-login-link': {
      kind: 'flag',
      about: 'print no login link (the default if the output is not a terminal); see `banksman login`',
    },
    'accept-older-store': {
      kind: 'flag',
      about:
        'go on with a store that is older than what this server knows, such as a restored backup: pending requests and unclaimed approvals end, running calls become unknown, tokens, grants and account links are revoked',
    },
    'adopt-data': {
      kind: 'flag',
      about:
        'take over a data folder that you have not used before. All tokens, grants and account links in it are revoked. Only at a terminal',
    },
    json: { ...JSON_OPTION.json, about: 'print the ready line as JSON, for programs' },
  },
  examples: [
    { line: 'banksman start --demo', about: 'see how it works' },
    {
      line: 'banksman start --port 8080 --data /var/lib/banksman',
      about: 'with another port and another folder',
    },
    {
      line: `banksman start --store 'postgres://banksman:\${STORE_PASSWORD}@db/banksman'`,
      about: 'one of several servers on one store; the password comes from the environment',
    },
  ],
  async run({ values }, context) {
    const { environment, cwd, terminal } = context
    if (values['login-link'] && values['no-login-link'])
      throw usageError('--login-link and --no-login-link exclude each other')
    if (values['adopt-data'] && !terminal.isInteractive)
      throw usageError('--adopt-data has to be typed at a terminal: look at the folder first')
    const port = values.port === undefined ? defaultServerAddress(environment).port : portOf(values.port)
    const host = values.host ?? '127.0.0.1'
    const configuration = configurationPath(values.config, context)
    const log = createLog(terminal)
    // A server goes on when nobody reads what it prints.
    for (const stream of [process.stdout, process.stderr]) {
      stream.removeAllListeners('error')
      stream.on('error', () => {})
    }
    const stopped = untilStopped(log)
    if (!LOOPBACK.includes(host)) {
      log(
        `listening on ${host}: other machines can reach this server, and there is no TLS. Tokens and calls go over the network unencrypted; put a proxy with TLS in front of it`,
      )
    }
    const [{ startServer }, { DEMONSTRATION_POLICY, demonstrationAt }] = await Promise.all([
      import('../../server/start-server.ts'),
      import('../../server/demonstration/demonstration-preset.ts'),
    ])
    const data = resolve(cwd, values.data ?? (environment.BANKSMAN_DATA || '.banksman'))
    const server = await startServer({
      host,
      port,
      data,
      configuration,
      environment,
      ...defined({ store: values.store }),
      acceptOlderStore: values['accept-older-store'],
      adoptData: values['adopt-data'],
      cwd,
      report: ({ doing, error }) => log(`${doing}: ${messageOf(error)}`),
      say: log,
      ...(values.demo ? { demonstration: demonstrationAt(data), policy: DEMONSTRATION_POLICY } : {}),
    })
    try {
      // What is no terminal is kept somewhere, and whoever reads the link first can log in with it.
      const withLink = values['login-link'] || (terminal.columns !== undefined && !values['no-login-link'])
      await announce(server, context, { isJson: values.json, withLink })
      // What is not as it should be was said first of all.
      const { kind } = server.configuration.status()
      if (kind === 'trusted' || kind === 'absent')
        log(describeConfiguration(server, configuration, values.demo))
      server.demonstration
        ?.begin(terminal.locale)
        .catch((error) => log(`the demonstration could not start: ${messageOf(error)}`))
      await stopped
    } finally {
      await server.close()
    }
    return EXIT.done satisfies ExitCode
  },
})

/** One line that says that it is ready and how to get in; then where the agent's token is. */
async function announce(
  server: Server,
  { terminal, environment }: Context,
  { isJson, withLink }: { isJson: boolean; withLink: boolean },
): Promise<void> {
  const { url, folder, agent, secretary, store } = server
  const loginLink = withLink ? await server.loginLink() : undefined
  // Whoever started it by npm has no such program in PATH.
  const banksman = environment.npm_command === undefined ? 'banksman' : 'npx banksman'
  if (isJson) {
    terminal.print(
      safeJson({
        ready: true,
        url,
        loginLink,
        agentTokenFile: folder.agentToken,
        ...(agent === undefined ? {} : { model: agent.agent.describe().model }),
        data: folder.path,
        store,
        pid: process.pid,
      }),
    )
    return
  }
  const how =
    loginLink === undefined
      ? `${url}/ (run \`${banksman} login\` for a link to log in with)`
      : terminal.paint('bold', loginLink)
  terminal.print(`Banksman is ready: ${how}`)
  if (loginLink !== undefined)
    terminal.print(
      `  Open this link in your browser to log in; it works once. \`${banksman} login\` makes another.`,
    )
  if (agent?.isTalkedTo)
    terminal.print(`  The agent answers with ${agent.because}; talk to it with: ${banksman} chat`)
  const codingFolders = secretary?.offers(server.self).folders ?? []
  if (codingFolders.length > 0)
    terminal.print(
      `  Coding sessions work in ${codingFolders.join(', ')}; start one with: ${banksman} sessions start FOLDER "what to do"`,
    )
  terminal.print(`  The token for your own agent is in ${folder.agentToken}`)
}

function describeConfiguration(server: Server, file: string, isDemo: boolean): string {
  const status = server.configuration.status()
  return status.kind === 'absent' && isDemo
    ? `there is no ${file}: the demonstration's policy is in force`
    : describeStatus(status, file)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
