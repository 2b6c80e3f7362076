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
    ...command('talk to the agent at the terminal, and approve what it wants to do', async () => {
      return (await import('./commands/chat.ts')).chat
    }),
    members: {
      add: command('set up Feishu, Lark or Telegram, so that people are asked there', async () => {
        return (await import('./commands/chat-add.ts')).chatAdd
      }),
    },
  },
  demo: command('run the demonstration again', async () => (await import('./commands/demo.ts')).demo),
  requests: group('see what agents ask for, and decide', {
    list: command(
      'list requests',
      async () => (await import('./commands/requests/requests-list.ts')).requestsList,
    ),
    show: command('show one request, whole', async () => {
      return (await import('./commands/requests/requests-show.ts')).requestsShow
    }),
    watch: command('approve and reject at the terminal, as requests come in', async () => {
      return (await import('./commands/requests/requests-watch.ts')).requestsWatch
    }),
    approve: command('approve one request', async () => {
      return (await import('./commands/requests/requests-approve.ts')).requestsApprove
    }),
    reject: command('reject one request', async () => {
      return (await import('./commands/requests/requests-reject.ts')).requestsReject
    }),
  }),
  sessions: group('have agents work in folders, in the background, and look after them', {
    list: command('list coding sessions, and what each is doing', async () => {
      return (await import('./commands/sessions/sessions-list.ts')).sessionsList
    }),
    start: command('start a coding session in a folder', async () => {
      return (await import('./commands/sessions/sessions-start.ts')).sessionsStart
    }),
    send: command('send a session a message', async () => {
      return (await import('./commands/sessions/sessions-send.ts')).sessionsSend
    }),
    progress: command('say how far a session is', async () => {
      return (await import('./commands/sessions/sessions-progress.ts')).sessionsProgress
    }),
    stop: command('interrupt what a session is doing', async () => {
      return (await import('./commands/sessions/sessions-stop.ts')).sessionsStop
    }),
    mode: command('say or set how much a session does without asking', async () => {
      return (await import('./commands/sessions/sessions-mode.ts')).sessionsMode
    }),
    close: command('close a session', async () => {
      return (await import('./commands/sessions/sessions-close.ts')).sessionsClose
    }),
  }),
  grants: group('see and take back what people have allowed beyond one call', {
    list: command('list grants', async () => (await import('./commands/grants/grants-list.ts')).grantsList),
    revoke: command(
      'revoke a grant',
      async () => (await import('./commands/grants/grants-revoke.ts')).grantsRevoke,
    ),
  }),
  policy: group('start a policy, check it, explain it, try it on past calls, import one', {
    init: command('start from a ready-made policy', async () => {
      return (await import('./commands/policy/policy-init.ts')).policyInit
    }),
    check: command(
      'check banksman.yaml',
      async () => (await import('./commands/policy/policy-check.ts')).policyCheck,
    ),
    explain: command('say what would become of a call, and why', async () => {
      return (await import('./commands/policy/policy-explain.ts')).policyExplain
    }),
    replay: command('try a policy on the calls that are on record', async () => {
      return (await import('./commands/policy/policy-replay.ts')).policyReplay
    }),
    import: command("make a policy of another program's permissions", async () => {
      return (await import('./commands/policy/policy-import.ts')).policyImport
    }),
  }),
  journal: group('verify and export the record of everything', {
    verify: command('find out whether the journal was tampered with', async () => {
      return (await import('./commands/journal/journal-verify.ts')).journalVerify
    }),
    export: command('write the whole journal, one entry a line', async () => {
      return (await import('./commands/journal/journal-export.ts')).journalExport
    }),
  }),
  tokens: group('make, list and revoke credentials', {
    create: command(
      'make a token',
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
  }),
  link: command('link your chat account to you, so that you are asked there', async () => {
    return (await import('./commands/link.ts')).link
  }),
  login: command('print a link that logs a browser in, once', async () => {
    return (await import('./commands/login.ts')).login
  }),
  nodes: command('list the servers that share the store', async () => {
    return (await import('./commands/nodes.ts')).nodes
  }),
  trust: command('let a new or changed banksman.yaml take effect', async () => {
    return (await import('./commands/trust.ts')).trust
  }),
  doctor: command('find out what is wrong with an installation', async () => {
    return (await import('./commands/doctor.ts')).doctor
  }),
  backup: command('copy the store, while it is in use', async () => {
    return (await import('./commands/backup.ts')).backup
  }),
}

function command(summary: string, load: () => Promise<CliCommand>): CommandEntry {
  return { kind: 'command', summary, load }
}

function group(summary: string, members: CommandGroup['members']): CommandGroup {
  return { kind: 'group', summary, members }
}
