/**
 * The service's API over plain HTTP. Calls carry an access token, which is asked for with the app's secret, kept, and renewed
 * before it ends; whoever needs one meanwhile waits for the same. No error of the network is passed on as it is, and what the
 * service says is searched for the secret and the token before anybody sees it.
 */
import type { JsonObject } from '../../../core/json/json.ts'
import { ChatFault } from '../contract.ts'
import { FeishuFault, isInvalidToken } from './faults.ts'
import { objectIn, parseObject, textIn } from './members.ts'

export interface FeishuApiOptions {
  appId: string
  appSecret: string
  /** `https://open.feishu.cn`, `https://open.larksuite.com`, or another that speaks the same. */
  url: string
  now(): number
}

export interface FeishuCall {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: JsonObject
  signal?: AbortSignal
}

export interface FeishuApi {
  readonly appId: string
  readonly url: string
  /** The whole answer. It throws a `ChatFault` where the service says that something is wrong. */
  call(call: FeishuCall): Promise<JsonObject>
  /** A call that carries the app's secret in place of a token. `names`: how that call names id and secret. */
  callWithSecret(
    path: string,
    names: { id: string; secret: string },
    signal?: AbortSignal,
  ): Promise<JsonObject>
  /** The bot itself, asked for each time. */
  describeBot(): Promise<{ account: string; name: string | undefined; isEnabled: boolean }>
  /** The account of the bot, which stays the same. */
  bot(): Promise<string>
  close(): void
}

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const MAX_SAID = 200
/** Of the app in the organisation. */
const ENABLED = 2
/** A token is renewed so long before it ends. */
const RENEW_BEFORE_S = 300

export function createFeishuApi({ appId, appSecret, url, now }: FeishuApiOptions): FeishuApi {
  const closing = new AbortController()
  let token: { value: string; until: number } | undefined
  let asking: Promise<string> | undefined
  let botAccount: string | undefined

  const scrub = (text: string) => {
    const shown = text.replaceAll(appSecret, '…')
    return token === undefined ? shown : shown.replaceAll(token.value, '…')
  }

  async function send(
    { method, path, body, signal }: FeishuCall,
    headers: Record<string, string>,
  ): Promise<JsonObject> {
    const doing = `${method} ${path.replace(/\?.*$/, '')}`
    const signals = [closing.signal, AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]
    let response: Response
    let answer: JsonObject | undefined
    try {
      response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.any(signals),
      })
      answer = await readAnswer(response)
    } catch (error) {
      throw unreachable(doing, error)
    }
    const { status } = response
    if (answer === undefined || typeof answer.code !== 'number')
      throw new ChatFault({ kind: 'retry' }, `feishu ${doing}: ${status} and no answer of the API`)
    if (answer.code === 0) return answer
    const said = scrub(textIn(answer.msg) ?? '').slice(0, MAX_SAID)
    throw new FeishuFault({ doing, status, code: answer.code, said, resetIn: resetOf(response) })
  }

  async function askToken(): Promise<string> {
    const answer = await callWithSecret('/open-apis/auth/v3/tenant_access_token/internal', {
      id: 'app_id',
      secret: 'app_secret',
    })
    const value = textIn(answer.tenant_access_token)
    const { expire } = answer
    if (value === undefined || typeof expire !== 'number')
      throw new ChatFault({ kind: 'retry' }, 'feishu: the answer has no access token')
    token = { value, until: now() + (expire - RENEW_BEFORE_S) * 1000 }
    return value
  }

  function currentToken(): Promise<string> {
    if (token !== undefined && now() < token.until) return Promise.resolve(token.value)
    asking ??= askToken().finally(() => {
      asking = undefined
    })
    return asking
  }

  function callWithSecret(
    path: string,
    { id, secret }: { id: string; secret: string },
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const body = { [id]: appId, [secret]: appSecret }
    return send({ method: 'POST', path, body, ...(signal ? { signal } : {}) }, {})
  }

  async function call(what: FeishuCall): Promise<JsonObject> {
    const value = await currentToken()
    try {
      return await send(what, { authorization: `Bearer ${value}` })
    } catch (error) {
      if (!isInvalidToken(error)) throw error
      // It was revoked before its time: once more with a new one.
      if (token?.value === value) token = undefined
      return send(what, { authorization: `Bearer ${await currentToken()}` })
    }
  }

  async function describeBot() {
    const bot = objectIn((await call({ method: 'GET', path: '/open-apis/bot/v3/info' })).bot)
    const account = textIn(bot?.open_id)
    if (account === undefined)
      throw new ChatFault({ kind: 'retry' }, 'feishu: the answer does not say who the bot is')
    botAccount = account
    return { account, name: textIn(bot?.app_name), isEnabled: bot?.activate_status === ENABLED }
  }

  return {
    appId,
    url,
    call,
    callWithSecret,
    describeBot,
    bot: async () => botAccount ?? (await describeBot()).account,
    close: () => closing.abort(),
  }
}

function unreachable(doing: string, error: unknown): ChatFault {
  const { cause, name } = error as Error & { cause?: { code?: unknown } }
  const why = typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? 'no answer' : 'failed'
  return new ChatFault({ kind: 'retry' }, `feishu ${doing}: the server can't be reached (${why})`)
}

async function readAnswer(response: Response): Promise<JsonObject | undefined> {
  let size = 0
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  return parseObject(Buffer.concat(chunks).toString())
}

function resetOf({ headers }: Response): number | undefined {
  const seconds = headers.get('x-ogw-ratelimit-reset') ?? ''
  return /^\d{1,4}$/.test(seconds) ? Number(seconds) : undefined
}
