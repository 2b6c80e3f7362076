/**
 * Where a request is shown: in the chat that the session came from, if an approver can see it; else to each approver with an
 * account, in the order of the rule; else in the chat that the rule names, or the service's settings.
 *
 * What a call says of its origin is the agent's word (P11). So its chat counts only if it is the private chat of an approver, or
 * a group that the configuration names and that an approver is in. A group that isn't named sees no arguments.
 */
import { DEFAULT_APPROVERS, type Directory, type LinkedAccount, mayApprove } from '../../core/authority.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import { isQuiet, type QuietHours, quietUntil } from '../../core/time/quiet-hours.ts'
import { isHighRisk } from '../../core/verdict.ts'
import type { Mention } from './card/card.ts'
import { type ChatAddress, ChatFault, type ChatService } from './contract.ts'
import type { ChatMoves } from './moves.ts'

export interface CardPlace {
  to: ChatAddress
  mentions: readonly Mention[]
  isSilent: boolean
  /** Not before this moment: the person's quiet hours. */
  notBefore?: number
}

export interface RoutingParts {
  service: Pick<ChatService, 'name' | 'tenant' | 'limits' | 'sees'>
  /** Where nobody has an account, or nobody can be written to. */
  defaultChat: string | undefined
  /** Groups that may see arguments; the default chat is one. */
  namedChats: readonly string[]
  moves: ChatMoves
  directory(): Directory
  /** Accounts that were linked by hand. */
  linked(): Promise<readonly LinkedAccount[]>
  quietHours(subject: string): Promise<QuietHours | undefined>
  session(id: string): Promise<Session | undefined>
  now(): number
}

export interface Routing {
  find(request: Request): Promise<CardPlace[]>
  /**
   * Where to, when none of them could be written to, in this order: each approver, who were left out where the agent named a chat;
   * then the chat of the rule or the settings.
   */
  otherwise(request: Request): Promise<CardPlace[][]>
  mentions(request: Request, to: ChatAddress): Promise<readonly Mention[]>
  showsAction(request: Request, to: ChatAddress): Promise<boolean>
  /** Where the owner of a session is told of it, in this order until it can be written. */
  noticePlaces(notice: { conversation: string; owner: string }): Promise<CardPlace[]>
  /** Where a person is written to. */
  accountOf(subject: string): Promise<string | undefined>
  /** Whether one of them has an account here. */
  knows(people: readonly string[]): Promise<boolean>
}

/** An approver whose deadline leaves less than this after their quiet hours is told at once. */
const TIME_TO_ANSWER_MS = 3_600_000

export function createRouting(parts: RoutingParts): Routing {
  const { service, defaultChat, namedChats, moves, directory, now } = parts

  /** By person. The configuration comes first; it names accounts of our own tenant, and so must a link. */
  async function accounts(): Promise<(subject: string) => string | undefined> {
    const byHand = new Map<string, string>()
    for (const { subject, tenant, account } of await parts.linked()) {
      if (tenant === service.tenant && !byHand.has(subject)) byHand.set(subject, account)
    }
    const { people } = directory()
    return (subject) => people.get(subject)?.accounts?.get(service.name) ?? byHand.get(subject)
  }

  /** Those who could approve it now and have an account here, in the order in which the rules name them. */
  async function approvers(request: Request): Promise<Mention[]> {
    const people = directory()
    const session = await parts.session(request.session)
    const everyone = new Set([people.owner, ...people.people.keys(), ...(session ? [session.owner] : [])])
    const found = new Map<string, Mention>()
    const accountOf = await accounts()
    for (const { approvers: named = DEFAULT_APPROVERS, ...condition } of currentTerms(request).conditions) {
      for (const one of named) {
        for (const subject of everyone) {
          if (!mayApprove(subject, { ...condition, approvers: [one] }, people, session)) continue
          const account = accountOf(subject)
          if (account !== undefined && !found.has(subject)) found.set(subject, { account, name: subject })
        }
      }
    }
    return [...found.values()]
  }

  async function originChat(request: Request, able: readonly Mention[]): Promise<ChatAddress | undefined> {
    const { origin } = request
    const chat = origin?.channel === service.name ? origin.conversation : undefined
    if (chat === undefined) return undefined
    const own = able.find(({ account }) => account === chat)
    if (own !== undefined) return { kind: 'person', account: own.account }
    if (!(await isNamed(request, chat))) return undefined
    for (const { account } of able) {
      const at = await moves.find(chat)
      if (await sees(at, account)) return { kind: 'chat', chat: await moves.find(at) }
    }
    return undefined
  }

  /** Also in the chat that this one has become. */
  async function sees(chat: string, account: string): Promise<boolean> {
    try {
      return await service.sees(chat, account)
    } catch (error) {
      if (!(error instanceof ChatFault) || error.what.kind !== 'moved') return false
      await moves.note(chat, error.what.chat)
      return service.sees(error.what.chat, account).catch(() => false)
    }
  }

  /** By the rule, or else by the service's settings. */
  function fallback(request: Request): string | undefined {
    const prefix = `${service.name}:`
    const named = currentTerms(request).chats?.find((chat) => chat.startsWith(prefix))
    return named?.slice(prefix.length) ?? defaultChat
  }

  function isNamed(request: Request, chat: string): Promise<boolean> {
    const other = fallback(request)
    return isAmong(other === undefined ? namedChats : [other, ...namedChats], chat)
  }

  /** A named group is named by its new id too. */
  async function isAmong(named: readonly string[], chat: string): Promise<boolean> {
    if (named.includes(chat)) return true
    for (const one of named) if ((await moves.find(one)) === chat) return true
    return false
  }

  async function toPerson({ account, name }: Mention, request: Request): Promise<CardPlace> {
    const to = { kind: 'person', account } as const
    const quiet = await parts.quietHours(name)
    if (quiet === undefined || !isQuiet(quiet, now())) return { to, mentions: [], isSilent: false }
    if (service.limits.canBeSilent) return { to, mentions: [], isSilent: true }
    const end = heldUntil(request, quiet, now())
    return { to, mentions: [], isSilent: false, ...(end === undefined ? {} : { notBefore: end }) }
  }

  const toEach = (people: readonly Mention[], request: Request) =>
    Promise.all(people.map((one) => toPerson(one, request)))

  const toChat = async (chat: string, able: readonly Mention[]): Promise<CardPlace> => ({
    to: { kind: 'chat', chat: await moves.find(chat) },
    mentions: able,
    isSilent: false,
  })

  return {
    async find(request) {
      const able = await approvers(request)
      const origin = await originChat(request, able)
      if (origin?.kind === 'chat') return [await toChat(origin.chat, able)]
      if (origin !== undefined)
        return toEach(
          able.filter(({ account }) => account === origin.account),
          request,
        )
      if (able.length > 0) return toEach(able, request)
      const other = fallback(request)
      return other === undefined ? [] : [await toChat(other, able)]
    },
    async otherwise(request) {
      const able = await approvers(request)
      const other = fallback(request)
      return [await toEach(able, request), other === undefined ? [] : [await toChat(other, able)]]
    },
    /** A group only while its owner is in it. An account that is no longer theirs is written nothing. */
    async noticePlaces({ conversation, owner }) {
      const account = (await accounts())(owner)
      if (account === undefined) return []
      const quiet = await parts.quietHours(owner)
      const isSilent = quiet !== undefined && isQuiet(quiet, now())
      const own: CardPlace = {
        to: { kind: 'person', account },
        mentions: [],
        isSilent: isSilent && service.limits.canBeSilent,
        ...(isSilent && !service.limits.canBeSilent ? { notBefore: quietUntil(quiet, now()) } : {}),
      }
      if (conversation === account || !(await isAmong(namedChats, conversation))) return [own]
      const at = await moves.find(conversation)
      if (!(await sees(at, account))) return [own]
      return [await toChat(at, []), own]
    },
    mentions: async (request, to) => (to.kind === 'chat' ? approvers(request) : []),
    showsAction: async (request, to) => to.kind === 'person' || (await isNamed(request, to.chat)),
    accountOf: async (subject) => (await accounts())(subject),
    async knows(people) {
      const accountOf = await accounts()
      return people.some((subject) => accountOf(subject) !== undefined)
    },
  }
}

/** Quiet hours never make anybody unreachable: what would be too late after them, or is high risk, isn't held back. */
function heldUntil(request: Request, quiet: QuietHours, at: number): number | undefined {
  const end = quietUntil(quiet, at)
  if (isHighRisk(currentTerms(request).severity)) return undefined
  return request.deadline === null || request.deadline - end >= TIME_TO_ANSWER_MS ? end : undefined
}
