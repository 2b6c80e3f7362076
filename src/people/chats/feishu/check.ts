/** What stands in the way at Feishu or Lark, for who sets it up, by the codes that the service answers with. */
import { ChatFault, type ChatObstacle } from '../contract.ts'
import type { FeishuApi, FeishuApiOptions } from './api.ts'
import { askEndpoint } from './connection.ts'
import { FeishuFault } from './faults.ts'

export interface FeishuChecked {
  /** Events come to our webhook. Otherwise we connect. */
  isCalled: boolean
  chats: readonly string[]
}

export async function checkFeishu(
  api: FeishuApi,
  { isCalled, chats }: FeishuChecked,
): Promise<ChatObstacle[]> {
  const obstacles: ChatObstacle[] = []
  const { isEnabled } = await api.describeBot()
  if (!isEnabled)
    obstacles.push({
      detail: 'the app is not enabled in your organisation yet',
      advice: PUBLISH,
      isBlocking: true,
    })
  // Only asked for, not opened: a second connection would be sent some of the clicks.
  if (!isCalled) await askEndpoint(api)
  for (const chat of chats) {
    const path = `/open-apis/im/v1/chats/${encodeURIComponent(chat)}`
    await api.call({ method: 'GET', path }).catch((error: unknown) => {
      if (!(error instanceof FeishuFault)) throw error
      obstacles.push({
        detail: `the bot can't see the chat ${chat}: ${error.message}`,
        advice: adviseOnFeishu(error, api),
        isBlocking: false,
      })
    })
  }
  return obstacles
}

const PUBLISH =
  'In the developer console open Version Management & Release, create a version, publish it, and have an administrator approve it.'

const WRONG_SECRET = new Set([514, 10003, 10012, 10014, 10015])
const NO_BOT = new Set([11205, 230006])
const NOT_IN_CHAT = new Set([230002, 232006, 232009, 232011])

export function adviseOnFeishu(fault: unknown, { url }: Pick<FeishuApiOptions, 'url'>): string {
  const isLark = new URL(url).hostname.endsWith('larksuite.com')
  const [here, other, there] = isLark
    ? ['Lark', 'Feishu', 'open.feishu.cn, choose feishu']
    : ['Feishu', 'Lark', 'open.larksuite.com, choose lark']
  if (!(fault instanceof FeishuFault)) {
    return fault instanceof ChatFault
      ? `${here} can't be reached from here, or something else answers at ${new URL(url).host}. Check the network, a proxy or a firewall.`
      : 'Try again.'
  }
  const { code, message } = fault
  if (WRONG_SECRET.has(code))
    return `${here} does not accept this App ID and App Secret. Copy both again from Credentials & Basic Info of the app. If the app was made for ${other}, at ${there} as the domain (--domain).`
  if (code === 99991672) return adviseOnScopes(message)
  if (NO_BOT.has(code))
    return `The app has no bot yet. In the developer console open Add Features, add Bot, then publish a version.`
  if (code === 230013)
    return 'The app is not available to this person. Put them into the availability of the app, and publish a version.'
  if (NOT_IN_CHAT.has(code))
    return 'Add the bot to that group: group settings, Bots, Add Bot; or correct the id under feishu.chat or feishu.chats.'
  if (code === 99991401)
    return 'The app has an IP allowlist that this machine is not on: see Security Settings of the app.'
  if (code === 1000040350)
    return 'The app has too many long connections. Stop other programs that connect with it.'
  return `Look up the code ${code} in the service's documentation, or try again.`
}

/** The service names the permissions, any of which is enough: `… is required: [im:message, im:message:send_as_bot]`. */
function adviseOnScopes(message: string): string {
  const [, listed = ''] = /\[([\w:., -]*)/.exec(message) ?? []
  const scopes = listed.split(',').map((scope) => scope.trim())
  const named = scopes.filter((scope) => /^\w+(?::[\w.]+)+$/.test(scope))
  const which = named.length === 0 ? 'that the message names' : named.join(' or ')
  return `The app lacks a permission: ${which}. Add it under Permissions & Scopes in the developer console, then create and publish a version.`
}
