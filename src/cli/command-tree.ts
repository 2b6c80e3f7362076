/** All commands there are. Each is loaded when it is called, so that `--help` does not wait for a database. */
import type { CliCommand } from './command-line/command.ts'

export type CommandNode = CommandEntry | CommandGroup

export interface CommandEntry {
  kind: 'command'
  /** A line in a list. */
  summary: string
  load(): Promise<CliCommand>
  /** Commands below it, by the word that follows its name. */
  members?: Readonly<Record<string, CommandEntry>>
}

export interface CommandGroup {
  kind: 'group'
  summary: string
  members: Readonly<Record<string, CommandEntry>>
}

export const COMMANDS: Readonly<Record<string, CommandNode>> = {
  start: command('start the server', async () => (await import('./commands/start.ts')).start),
  chat: {
    ...command('talk to the agent in the terminal, and decide on its calls', async () => {
      return (await import('./commands/chat/chat.ts')).chat
    }),
    members: {
      add: command('set up Telegram, Feishu or Lark, so that people can approve there', async () => {
        return (await import('./commands/chat/chat-add.ts')).chatAdd
      }),
    },
  },
  demo: command('run the demonstration again', async () => (await import('./commands/demo.ts')).demo),
  requests: group('list, read and decide requests', {
    list: command(
      'list requests',
      async () => (await import('./commands/requests/requests-list.ts')).requestsList,
    ),
    show: command('show one request in full', async () => {
      return (await import('./commands/requests/requests-show.ts')).requestsShow
    }),
    watch: command('approve and reject in the terminal as requests come in', async () => {
      return (await import('./commands/requests/requests-watch.ts')).requestsWatch
    }),
    approve: command('approve one request', async () => {
      return (await import('./commands/requests/requests-approve.ts')).requestsApprove
    }),
    reject: command('reject one request', async () => {
      return (await import('./commands/requests/requests-reject.ts')).requestsReject
    }),
  }),
  sessions: group('run coding agents in the background', {
    list: command('list coding sessions and what each is doing', async () => {
      return (await import('./commands/sessions/sessions-list.ts')).sessionsList
    }),
    start: command('start a coding session in a folder', async () => {
      return (await import('./commands/sessions/sessions-start.ts')).sessionsStart
    }),
    send: command('send a message to a session', async () => {
      return (await import('./commands/sessions/sessions-send.ts')).sessionsSend
    }),
    progress: command('show the progress of a session', async () => {
      return (await import('./commands/sessions/sessions-progress.ts')).sessionsProgress
    }),
    stop: command('interrupt a session', async () => {
      return (await import('./commands/sessions/sessions-stop.ts')).sessionsStop
    }),
    mode: command('show or set how much a session may do without approval', async () => {
      return (await import('./commands/sessions/sessions-mode.ts')).sessionsMode
    }),
    close: command('close a session', async () => {
      return (await import('./commands/sessions/sessions-close.ts')).sessionsClose
    }),
  }),
  grants: group('list and revoke remembered approvals', {
    list: command('list grants', async () => (await import('./commands/grants/grants-list.ts')).grantsList),
    revoke: command(
      'revoke a grant',
      async () => (await import('./commands/grants/grants-revoke.ts')).grantsRevoke,
    ),
  }),
  policy: group('create, check, explain, test or import a policy', {
    init: command('start from a ready-made policy', async () => {
      return (await import('./commands/policy/policy-init.ts')).policyInit
    }),
    check: command(
      'check banksman.yaml',
      async () => (await import('./commands/policy/policy-check.ts')).policyCheck,
    ),
    explain: command('say whether a call is allowed, denied or needs approval, and why', async () => {
      return (await import('./commands/policy/policy-explain.ts')).policyExplain
    }),
    replay: command('test a policy on past calls', async () => {
      return (await import('./commands/policy/policy-replay.ts')).policyReplay
    }),
    import: command("convert another program's permissions into a policy", async () => {
      return (await import('./commands/policy/policy-import.ts')).policyImport
    }),
  }),
  journal: group('verify or export the journal, the record of everything, or change its key', {
    verify: command('check the journal for tampering', async () => {
      return (await import('./commands/journal/journal-verify.ts')).journalVerify
    }),
    export: command('write the whole journal, one entry per line', async () => {
      return (await import('./commands/journal/journal-export.ts')).journalExport
    }),
    'rotate-key': command('hand the signing of checkpoints over to a new key', async () => {
      return (await import('./commands/journal/journal-rotate-key.ts')).journalRotateKey
    }),
  }),
  tokens: group('create, list, rotate and revoke tokens', {
    create: command(
      'create a token',
      async () => (await import('./commands/tokens/tokens-create.ts')).tokensCreate,
    ),
    list: command(
      'list all tokens',
      async () => (await import('./commands/tokens/tokens-list.ts')).tokensList,
    ),
    revoke: command(
      'revoke a token',
      async () => (await import('./commands/tokens/tokens-revoke.ts')).tokensRevoke,
    ),
    rotate: command(
      'replace a token by a new one',
      async () => (await import('./commands/tokens/tokens-rotate.ts')).tokensRotate,
    ),
  }),
  connect: command(
    'put Banksman in front of a coding agent or of MCP servers, or list what is connected',
    async () => {
      return (await import('./commands/connect.ts')).connect
    },
  ),
  disconnect: command('take Banksman away from a coding agent or from MCP servers', async () => {
    return (await import('./commands/disconnect.ts')).disconnect
  }),
  mcp: command('put Banksman in front of an MCP server', async () => (await import('./commands/mcp.ts')).mcp),
  hook: command("answer a coding agent's hook", async () => (await import('./commands/hook.ts')).hook),
  link: command('link your chat account, so that you can approve there', async () => {
    return (await import('./commands/link.ts')).link
  }),
  login: command('print a one-time link that logs a browser in', async () => {
    return (await import('./commands/login.ts')).login
  }),
  nodes: command('list the servers that share the store', async () => {
    return (await import('./commands/nodes.ts')).nodes
  }),
  trust: command('put a new or changed banksman.yaml in force', async () => {
    return (await import('./commands/trust.ts')).trust
  }),
  doctor: command('check an installation and say what is wrong', async () => {
    return (await import('./commands/doctor.ts')).doctor
  }),
  backup: command('copy the store while it is in use', async () => {
    return (await import('./commands/backup.ts')).backup
  }),
}

function command(summary: string, load: () => Promise<CliCommand>): CommandEntry {
  return { kind: 'command', summary, load }
}

function group(summary: string, members: CommandGroup['members']): CommandGroup {
  return { kind: 'group', summary, members }
}
