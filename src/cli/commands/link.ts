/** `banksman link` */
import type { Client, WireChat, WireChatAccount, WireLink, WireNewLink } from '../../client/index.ts'
import { sayService } from '../../display/words/services.ts'
import { type Context, defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../connection/connect.ts'
import { CommandFailure, EXIT, usageError } from '../output/failures.ts'
import { rendered, safeJson, visible } from '../output/safe-text.ts'

const HOLD_MS = 25_000

export const link = defineCommand({
  about: `Links your chat account to you, so that you can decide requests in that chat and your clicks there count as yours.

It shows a code. Send the code to the bot in a private chat; the bot answers with the name of the person whose account it would
be. This command then shows the account that sent the code and asks whether it is yours. Only after that is it linked. A code is
valid for ten minutes and works once; Ctrl-C cancels it. Never send a code that somebody gave you, and give yours to nobody.

With --remove it unlinks your account. Remove accounts that are listed in banksman.yaml there.`,
  positionals: [{ name: 'service', required: false }],
  options: {
    list: { kind: 'flag', about: 'list the chats that are set up, and your accounts there' },
    all: { kind: 'flag', about: 'with --list: the accounts of everybody, for administrators' },
    remove: { kind: 'flag', about: 'unlink the account instead' },
    account: {
      kind: 'text',
      value: 'ID',
      about: 'with --remove: which account; an administrator can name that of anybody. Otherwise your own',
    },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman link telegram', about: 'link your Telegram account' },
    { line: 'banksman link --list', about: 'which chats there are, and which account of yours is linked' },
    { line: 'banksman link --remove telegram', about: 'unlink your account' },
    {
      line: 'banksman link --remove telegram --account 12345678',
      about: "unlink somebody's account, as an administrator",
    },
  ],
  async run({ values, positionals: [service] }, context) {
    const { terminal } = context
    if (values.list && values.remove)
      throw usageError('--list and --remove are two different things; give one of them')
    if (values.all && !values.list) throw usageError('--all needs --list')
    if (values.account !== undefined && !values.remove) throw usageError('--account needs --remove')
    const isLinking = !values.list && !values.remove
    if (isLinking && (values.json || !terminal.isInteractive))
      throw new CommandFailure(
        'not_a_terminal',
        'linking asks you whether the account is yours, so it needs a terminal and no --json. In a browser, open Settings in the inbox',
      )
    const client = await connect(values, context)
    if (values.list) {
      const { items } = await client.chats.list({ all: values.all === true })
      if (values.json) terminal.print(safeJson({ items }, 2))
      else if (items.length === 0) terminal.note(NO_CHAT)
      else for (const chat of items) terminal.print(linesOf(chat, values.all === true))
      return EXIT.done
    }
    const chat = await chatNamed(client, service, values.account !== undefined)
    if (!values.remove) return linkTo(chat, client, context)
    const { tenant, account } = accountToRemove(chat, values.account)
    await client.chats.unlink(chat.service, { tenant, account })
    if (values.json) terminal.print(safeJson({ service: chat.service, tenant, account, unlinked: true }))
    else terminal.print(`${sayService(chat.service, 'en')} account ${visible(account)} is unlinked`)
    return EXIT.done
  },
})

const NO_CHAT = 'No chat is set up on this server. `banksman chat add telegram` sets one up.'

async function chatNamed(client: Client, service: string | undefined, all: boolean): Promise<WireChat> {
  const { items } = await client.chats.list({ all })
  if (items.length === 0) throw new CommandFailure('no_chat', NO_CHAT)
  const named = items.map((chat) => chat.service).join(' or ')
  if (service === undefined) {
    if (items.length > 1) throw usageError(`say which chat: ${named}`)
    return items[0]!
  }
  const found = items.find((chat) => chat.service === service)
  if (found !== undefined) return found
  throw usageError(`there is no chat ${JSON.stringify(service)} on this server; there is ${named}`)
}

function accountToRemove({ service, accounts }: WireChat, named: string | undefined): WireChatAccount {
  const found =
    named === undefined
      ? (accounts.find(({ from }) => from === 'link') ?? accounts[0])
      : accounts.find(({ account }) => account === named)
  if (found !== undefined) return found
  const which =
    named === undefined
      ? 'no account is linked to you'
      : `account ${JSON.stringify(named)} is linked to nobody`
  throw new CommandFailure('unknown_id', `${which} at ${service}; \`banksman link --list\` shows what is`)
}

function linesOf({ service, bot, fault, accounts }: WireChat, isAll: boolean): string {
  const about = fault === undefined ? (bot ?? '') : `can't be reached: ${fault}`
  const lines = accounts.map(({ account, name, subject, from }) =>
    [
      '  ',
      ...(isAll ? [subject] : []),
      account,
      ...(name === undefined ? [] : [`called ${name}`]),
      from === 'link' ? 'linked' : 'in banksman.yaml',
    ]
      .map(rendered)
      .join('  '),
  )
  const none = isAll
    ? '    nobody has an account here'
    : `    not linked; \`banksman link ${service}\` links your account`
  return [`${visible(service)}  ${rendered(about)}`, ...(lines.length === 0 ? [none] : lines)].join('\n')
}

async function linkTo(chat: WireChat, client: Client, { terminal }: Context) {
  const { note, paint } = terminal
  const made = await client.chats.beginLink(chat.service)
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  try {
    note(invitation(chat, made))
    const found = await untilSent(client, made.id, stop.signal)
    if (found.state !== 'claimed' || found.account === undefined) throw refusal(found)
    const { account, name, tenant } = found.account
    note(`\n${sayService(chat.service, 'en')} account ${visible(account)} sent the code.`)
    if (name !== undefined) note(`It is called ${rendered(name)}, a name that its owner chose.`)
    note(`If it is yours, the bot has answered in your chat with the same account id.`)
    const answer = await terminal.ask('Is this you? Link it to you? [y/N] ')
    if (answer === undefined || !/^(?:y|yes)$/i.test(answer))
      throw new CommandFailure('not_confirmed', 'nothing was linked, and the code is no longer valid')
    const linked = await client.chats.confirmLink(made.id, { tenant, account })
    if (linked.state !== 'linked') throw refusal(linked)
    terminal.print(
      paint('green', `${sayService(chat.service, 'en')} account ${visible(account)} is linked to you`),
    )
    return EXIT.done
  } catch (error) {
    // What is over stays as it is.
    await client.chats.cancelLink(made.id).catch(() => {})
    if (stop.signal.aborted)
      throw new CommandFailure('stopped', 'nothing was linked, and the code is no longer valid')
    throw error
  } finally {
    process.removeListener('SIGINT', onSignal)
  }
}

function invitation({ service }: WireChat, { code, bot, url, carriesCode }: WireNewLink): string {
  const whom = bot === undefined ? `the bot in ${sayService(service, 'en')}` : rendered(bot)
  const open =
    url === undefined
      ? ''
      : carriesCode
        ? `Open this address and press Start:\n\n  ${visible(url)}\n\nOr send`
        : `Open the chat with ${whom} (${visible(url)}) and send`
  return `${open || 'Send'} this code to ${whom}, in a private chat:\n\n  ${code}\n\nWaiting for 10 minutes. Ctrl-C cancels the code.`
}

async function untilSent(client: Client, id: string, signal: AbortSignal): Promise<WireLink> {
  for (;;) {
    const found = await client.chats.link(id, { holdMs: HOLD_MS, signal })
    // It ends with the code, which expires.
    if (found.state !== 'waiting') return found
  }
}

const REFUSALS: Readonly<Record<NonNullable<WireLink['because']>, string>> = {
  account_taken: 'that account is linked to somebody already; it has to be unlinked first',
  account_yours: 'that account is linked to you already',
  has_account: 'you have another account at this service; unlink it first',
  seen_by_others:
    'the code was sent in a group, where others could read it. Send the next one in a private chat with the bot',
  cancelled: 'the code was cancelled',
}

function refusal({ state, because }: WireLink): CommandFailure {
  if (because !== undefined) return new CommandFailure(because, `nothing was linked: ${REFUSALS[because]}`)
  return new CommandFailure(
    state,
    'nothing was linked: the code has expired. Run the command again for a new one',
  )
}
