/** A session as a reader sees it: with the turn that runs, the modes that they may set, and what it works on. */
import type { Conversations } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { CodingSession, Secretary } from '../../../core/secretary.ts'
import type { Actor } from '../../../core/session.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import type { WireSession } from '../../../wire/types/session.ts'
import { codingToWire, heardToWire, sessionToWire } from '../../to-wire/records-to-wire.ts'

export interface ConversationRouteParts {
  gateway: Gateway
  /** The agent of ours. Absent: there is none to talk to. */
  conversations?: Conversations
  /** Coding sessions. Absent: this server has none. */
  secretary?: Secretary
}

export type ReadSession = (id: string, actor: Actor) => Promise<WireSession>

export function createReadSession(parts: ConversationRouteParts): ReadSession {
  const { gateway, conversations, secretary } = parts
  return async (id, actor) => {
    const session = await gateway.session(id, actor)
    if (actor.role === 'agent') return sessionToWire(session)
    const running = await conversations?.running(id, actor)
    const coding = await findCoding(secretary, id, actor)
    const chat = await isChat(parts, id, actor)
    const heard = coding !== undefined || chat ? undefined : await gateway.sessionSightings.of(session)
    return {
      ...sessionToWire(session),
      ...defined({ running }),
      ...(coding === undefined ? {} : { coding: codingToWire(coding) }),
      ...(heard === undefined ? {} : { heard: heardToWire(heard) }),
      ...(chat ? { chat } : {}),
      modes: gateway.settableModes(session, actor),
    }
  }
}

/** Whether it is a conversation with our agent that they may read, and no coding session of theirs. */
export async function isChat(
  { gateway, conversations, secretary }: ConversationRouteParts,
  id: string,
  actor: Actor,
): Promise<boolean> {
  if (conversations === undefined || (await findCoding(secretary, id, actor)) !== undefined) return false
  try {
    return (await gateway.turns.read(id, { limit: 1 }, actor)).length > 0
  } catch (error) {
    if (isBanksmanError(error, 'unknown_id')) return false
    throw error
  }
}

/** Undefined where it is none, or not theirs. */
export async function findCoding(
  secretary: Secretary | undefined,
  id: string,
  actor: Actor,
): Promise<CodingSession | undefined> {
  try {
    return await secretary?.find(id, actor)
  } catch (error) {
    if (isBanksmanError(error, 'unknown_id')) return undefined
    throw error
  }
}
