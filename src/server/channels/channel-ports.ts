/**
 * What drivers work with, made of the gateway and of the agent where there is one. The gateway finds the person each time: what
 * a driver does in the name of an account is done by whoever it belongs to at that moment (P6).
 */
import type { Identified } from '../../core/authority.ts'
import type { Conversations, TurnEvent } from '../../core/conversation.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { ChannelPorts, Conversing } from '../../people/driver.ts'

export interface ChannelPortsParts extends Pick<ChannelPorts, 'clock' | 'randomId' | 'report'> {
  gateway: Pick<
    Gateway,
    'decide' | 'get' | 'list' | 'knownTool' | 'watch' | 'arrive' | 'findPerson' | 'accounts' | 'quietHours'
  >
  /** Absent: there is no agent. */
  conversations: Conversations | undefined
  /** Absent: there is no secretary. */
  secretary?: ChannelPorts['secretary']
}

export function createChannelPorts(parts: ChannelPortsParts): ChannelPorts {
  const { gateway, conversations, secretary, clock, randomId, report } = parts
  const { findPerson } = gateway
  return {
    deciding: {
      decide: gateway.decide,
      get: async (id, by) => gateway.get(id, await findPerson(by)),
      list: async (query, by) => gateway.list(query, await findPerson(by)),
      knownTool: gateway.knownTool,
      watch: gateway.watch,
    },
    conversing: conversations && conversingWith(conversations, findPerson),
    secretary,
    linked: gateway.accounts.of,
    claimLink: gateway.accounts.linking.claim,
    clickTest: gateway.accounts.tests.click,
    quietHours: async (subject) => (await gateway.quietHours.of(subject))?.hours,
    arrive: gateway.arrive,
    clock,
    randomId,
    report,
  }
}

function conversingWith(conversations: Conversations, findPerson: Gateway['findPerson']): Conversing {
  async function* events(
    session: string,
    options: Parameters<Conversing['events']>[1],
    by: Identified,
  ): AsyncGenerator<TurnEvent> {
    yield* conversations.events(session, options, await findPerson(by))
  }
  return {
    say: async (saying, by) => conversations.say(saying, await findPerson(by)),
    interrupt: async (session, input, by) => conversations.interrupt(session, input, await findPerson(by)),
    entries: async (session, page, by) => conversations.entries(session, page, await findPerson(by)),
    running: async (session, by) => conversations.running(session, await findPerson(by)),
    events,
  }
}
