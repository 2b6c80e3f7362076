/**
 * Chats in people's settings: which there are, whose account is whose, linking and unlinking, test cards and quiet hours. Everyone
 * sees and changes their own (P6); administrators also see and undo the links of others. No agent does any of it (P11).
 */

import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Linking } from '../../../core/support/account-linking.ts'
import { makeVisible } from '../../../display/text/visible.ts'
import type { SetQuietHours } from '../../../gateway/access/quiet-hours.ts'
import type { TestCard } from '../../../gateway/access/test-cards.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import type { ChatDesk } from '../../../people/driver.ts'
import { emptyBody } from '../../../wire/answers.ts'
import * as wire from '../../../wire/chat.ts'
import type {
  WireChat,
  WireChatTest,
  WireLink,
  WireNewLink,
  WireQuietHours,
} from '../../../wire/types/chat.ts'
import type { Caller } from '../../access/authentication.ts'
import { holdQuery, whileHeld } from '../../connection/long-poll.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { json, noContent, type Route, route } from '../route.ts'

export interface ChatRouteParts {
  /** The chats that are configured. */
  chats?: readonly ChatDesk[]
}

const people = { access: 'people' } as const
const heldQuery = z.strictObject({ hold: holdQuery.exactOptional() })

export function chatRoutes({ gateway, chats = [] }: ChatRouteParts & { gateway: Gateway }): Route[] {
  const { accounts, quietHours } = gateway

  function deskOf(service: string): ChatDesk {
    const desk = chats.find((one) => one.service === service)
    if (desk !== undefined) return desk
    const known = chats.length === 0 ? reasonOf('agents.none') : chats.map((one) => one.service)
    throw reasonedError('unknown_id', reasonOf('account.no-chat', { service: service.slice(0, 64), known }))
  }

  async function chatToWire(desk: ChatDesk, { actor }: Caller, all: boolean): Promise<WireChat> {
    const said = await desk.describe()
    const found = await accounts.own.list(desk, actor, { all })
    const { fault, bot, workspace, address } = { fault: undefined, ...said } as Partial<
      Record<'fault' | 'bot' | 'workspace' | 'address', string>
    >
    return {
      service: desk.service,
      ...defined({ fault, bot: visible(bot), workspace: visible(workspace), address }),
      textAnswers: desk.textAnswers,
      accounts: found.map(({ tenant, account, name, subject, from }) => ({
        tenant,
        account,
        ...defined({ name: visible(name) }),
        subject,
        from,
      })),
    }
  }

  return [
    route('GET /v1/chats', {
      ...people,
      summary: 'The chats that are configured, and your accounts there.',
      query: wire.chatsQuery,
      answers: [json('The chats.', wire.chatList)],
      answer: async ({ caller, query: { all } }) => ({
        items: await Promise.all(chats.map((desk) => chatToWire(desk, caller, all === 'true'))),
      }),
    }),
    route('POST /v1/chats/{service}/links', {
      ...people,
      summary:
        'Make a one-time code, to be sent to the bot by the account that is to be linked to you. An older one is void.',
      body: emptyBody,
      answers: [json('The code, which is shown this once.', wire.newLink, 201)],
      async answer({ caller, step }): Promise<WireNewLink> {
        const desk = deskOf(step('service'))
        const { code, ...linking } = await accounts.linking.begin(desk, caller.actor, caller.token)
        const said = await desk.describe()
        const { id, service, expiresAt } = linkToWire(linking)
        const parts = { id, service, expiresAt, code }
        if ('fault' in said) return { ...parts, carriesCode: false }
        const url = said.addressWithCode?.(code) ?? said.address
        return {
          ...parts,
          ...defined({ bot: visible(said.bot), url }),
          carriesCode: said.addressWithCode !== undefined,
        }
      },
    }),
    route('GET /v1/links/{id}', {
      ...people,
      summary: 'What has become of your code. With hold, once somebody has sent it.',
      query: heldQuery,
      answers: [json('The link.', wire.link)],
      answer: async ({ c, caller, query: { hold = 0 }, step }) =>
        linkToWire(
          await whileHeld(c, caller, (signal) =>
            accounts.linking.wait(step('id'), caller.actor, { holdMs: hold, signal }),
          ),
        ),
    }),
    route('POST /v1/links/{id}/confirm', {
      ...people,
      summary: 'Confirm that the account that sent your code is yours. Only then it is linked.',
      body: wire.accountBody,
      answers: [json('The link, with its new state.', wire.link)],
      answer: async ({ caller, body, step }) =>
        linkToWire(await accounts.linking.confirm(step('id'), body, caller.actor)),
    }),
    route('DELETE /v1/links/{id}', {
      ...people,
      summary: 'Take your code back, also after somebody has sent it.',
      answers: [json('The link, with its new state.', wire.link)],
      answer: async ({ caller, step }) => linkToWire(await accounts.linking.cancel(step('id'), caller.actor)),
    }),
    route('DELETE /v1/chats/{service}/accounts', {
      ...people,
      summary: 'Unlink an account of yours; an admin unlinks that of anybody.',
      body: wire.accountBody,
      answers: [noContent('Unlinked.')],
      async answer({ caller, body, step }) {
        await accounts.own.unlink(deskOf(step('service')), body, caller.actor)
        return undefined
      },
    }),
    route('POST /v1/chats/{service}/test', {
      ...people,
      summary: 'Send a test card to your own account.',
      body: emptyBody,
      answers: [json('The test.', wire.chatTest, 201)],
      async answer({ caller, step }): Promise<WireChatTest> {
        const desk = deskOf(step('service'))
        const test = await accounts.tests.begin(desk.service, caller.actor)
        const { fault } = await desk.sendTest({ id: test.id, subject: caller.actor.subject })
        return fault === undefined ? testToWire(test) : { ...testToWire(test), state: 'failed', fault }
      },
    }),
    route('GET /v1/chats/{service}/test/{id}', {
      ...people,
      summary: 'Whether your test card was clicked, and by whom. With hold, once it was.',
      query: heldQuery,
      answers: [json('The test.', wire.chatTest)],
      async answer({ c, caller, query: { hold = 0 }, step }) {
        deskOf(step('service'))
        return testToWire(
          await whileHeld(c, caller, (signal) =>
            accounts.tests.wait(step('id'), caller.actor, { holdMs: hold, signal }),
          ),
        )
      },
    }),
    route('GET /v1/quiet-hours', {
      ...people,
      summary: 'When chats do not disturb you.',
      answers: [json('Your quiet hours.', wire.quietHoursState)],
      answer: async ({ caller }) => quietToWire(await quietHours.of(caller.actor.subject)),
    }),
    route('PUT /v1/quiet-hours', {
      ...people,
      summary: 'Set your quiet hours. They win over those of the configuration.',
      body: wire.quietHoursBody,
      answers: [json('Your quiet hours.', wire.quietHoursState)],
      async answer({ caller: { actor }, body }) {
        await quietHours.set(body, actor)
        return quietToWire(await quietHours.of(actor.subject))
      },
    }),
    route('DELETE /v1/quiet-hours', {
      ...people,
      summary: 'Take your quiet hours back: those of the configuration count again.',
      answers: [json('Your quiet hours.', wire.quietHoursState)],
      async answer({ caller: { actor } }) {
        await quietHours.clear(actor)
        return quietToWire(await quietHours.of(actor.subject))
      },
    }),
  ]
}

/** Names are what others chose: nothing in them may hide or turn around what is shown beside it (P9). */
function visible(name: string | undefined): string | undefined {
  return name === undefined ? undefined : makeVisible(name).text
}

function linkToWire({ account, expiresAt, ...linking }: Linking): WireLink {
  return {
    ...linking,
    expiresAt: toTime(expiresAt),
    ...(account === undefined
      ? {}
      : { account: { ...account, ...defined({ name: visible(account.name) }) } }),
  }
}

function testToWire({ id, service, clicked }: TestCard): WireChatTest {
  if (clicked === undefined) return { id, service, state: 'sent' }
  return { id, service, state: 'clicked', clicked: { ...clicked, at: toTime(clicked.at) } }
}

function quietToWire(set: SetQuietHours | undefined): WireQuietHours {
  return { ...set }
}
