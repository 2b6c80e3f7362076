/**
 * The Bot API over plain HTTP. The token is a part of every address, so no error of the network is passed on as it is: what is
 * thrown names the method and nothing else of the address.
 */

import type { JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { ChatFault, type ChatFaultKind } from '../contract.ts'

export interface TelegramApi {
  call(
    method: string,
    parameters: JsonObject,
    options?: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<unknown>
  /** Ends what is under way. */
  close(): void
}

export interface TelegramApiOptions {
  token: string
  /** `https://api.telegram.org`, or a server of one's own. */
  url: string
}

/** What the Bot API says when something is wrong. */
interface TelegramError {
  error_code: number
  description: string
  parameters?: { retry_after?: number; migrate_to_chat_id?: number }
}

/** The Bot API has answered, and said no. */
export class TelegramFault extends ChatFault {
  readonly code: number
  constructor(what: ChatFaultKind, method: string, code: number, said: string) {
    super(what, `telegram ${method}: ${code} ${said}`)
    this.code = code
  }
}

const TIMEOUT_MS = 10_000
/** Far more than any answer that we ask for. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const MAX_DESCRIPTION = 200

/** Its chat is no more, or nobody may write there. */
const GONE =
  /chat not found|bot was blocked|bot was kicked|user is deactivated|bot can't initiate|message to edit not found|message can't be edited|have no rights|not enough rights|chat_write_forbidden|peer_id_invalid|group chat was deactivated/i

export function createTelegramApi({ token, url }: TelegramApiOptions): TelegramApi {
  const closing = new AbortController()
  const scrub = (text: string) => text.replaceAll(token, '…')

  async function post(method: string, parameters: JsonObject, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(`${url}/bot${token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
        redirect: 'error',
        signal,
      })
    } catch (error) {
      throw unreachable(method, error)
    }
  }

  function unreachable(method: string, error: unknown): ChatFault {
    const { cause, name } = error as Error & { cause?: { code?: unknown } }
    const why =
      typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? 'no answer' : 'failed'
    return new ChatFault({ kind: 'retry' }, `telegram ${method}: the server can't be reached (${scrub(why)})`)
  }

  return {
    async call(method, parameters, { signal, timeoutMs = TIMEOUT_MS } = {}) {
      const signals = [closing.signal, AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
      const response = await post(method, parameters, AbortSignal.any(signals))
      const answer = await readAnswer(response).catch((error) => {
        throw unreachable(method, error)
      })
      if (answer?.ok === true) return answer.result
      if (!isError(answer))
        throw new ChatFault(
          { kind: 'retry' },
          `telegram ${method}: ${response.status} and no answer of the Bot API`,
        )
      const said = scrub(answer.description).slice(0, MAX_DESCRIPTION)
      throw new TelegramFault(faultOf(answer), method, answer.error_code, said)
    },
    close: () => closing.abort(),
  }
}

async function readAnswer(response: Response): Promise<{ ok?: unknown; result?: unknown } | undefined> {
  let size = 0
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    const value: unknown = parseJson(Buffer.concat(chunks).toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function isError(answer: unknown): answer is TelegramError {
  const { error_code, description } = (answer ?? {}) as Partial<TelegramError>
  return typeof error_code === 'number' && typeof description === 'string'
}

function faultOf({ error_code, description, parameters = {} }: TelegramError): ChatFaultKind {
  const { retry_after, migrate_to_chat_id } = parameters
  if (typeof migrate_to_chat_id === 'number') return { kind: 'moved', chat: String(migrate_to_chat_id) }
  if (error_code === 429)
    return { kind: 'retry', ...(typeof retry_after === 'number' ? { afterMs: retry_after * 1000 } : {}) }
  // A token that was revoked may be given back, or the server started anew with another: requests stay pending meanwhile.
  if (error_code >= 500 || error_code === 401 || error_code === 404 || error_code === 409)
    return { kind: 'retry' }
  return GONE.test(description) ? { kind: 'gone' } : { kind: 'refused' }
}
