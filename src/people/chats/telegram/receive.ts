/**
 * Receives updates: by long polling, which needs no address of ours, or at a webhook with a secret. An update is confirmed after
 * it was handled: polling asks for what comes after it, a webhook answers 200. What was clicked while we were down is kept by
 * Telegram for a day and comes after the start.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isBanksmanError } from '../../../core/errors.ts'
import type { SentBytes, SignedJsonDoor } from '../../door.ts'
import type { Acknowledge, ChatHost, ChatReceiver } from '../contract.ts'
import type { TelegramApi } from './api.ts'
import { parseUpdate, SERVICE, updateId } from './parse.ts'

export interface TelegramWebhook {
  /** Where Telegram calls us. */
  url: string
  /** It sends this with every call. */
  secret: string
}

const POLL_S = 30
const POLL_TIMEOUT_MS = (POLL_S + 15) * 1000
const ALLOWED = ['message', 'edited_message', 'callback_query']
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000
/** An update that fails for another reason than the store is given up after so many tries. */
const MAX_TRIES = 5
const MAX_ALERT = 200
const WEBHOOK_PATH = '/telegram/webhook'
const MAX_BODY_BYTES = 1024 * 1024

export function receiveTelegram(
  api: TelegramApi,
  host: ChatHost,
  webhook: TelegramWebhook | undefined,
): ChatReceiver {
  const closing = new AbortController()
  const handle = createUpdateHandler(api, host)
  const running = (webhook === undefined ? poll() : announce(webhook)).catch((error) => {
    host.report({ doing: 'receiving from telegram', error })
  })

  async function poll(): Promise<void> {
    for (;;) {
      const turn = await host.receiving.next()
      if (turn === undefined || closing.signal.aborted) return
      await pollUntil(AbortSignal.any([turn, closing.signal]))
    }
  }

  async function pollUntil(over: AbortSignal): Promise<void> {
    let offset: number | undefined
    let failures = 0
    while (!over.aborted) {
      const askedAt = host.clock.now()
      try {
        const updates = await ask(offset, over)
        const isEmptyAtOnce = updates.length === 0 && host.clock.now() - askedAt < FIRST_RETRY_MS
        for (const update of updates) await handle(update)
        offset = next(updates, offset)
        failures = 0
        if (isEmptyAtOnce) await pause(FIRST_RETRY_MS, over)
      } catch (error) {
        if (over.aborted) return
        if (++failures === 1) host.report({ doing: 'receiving from telegram', error })
        await pause(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_MS), over)
      }
    }
  }

  async function ask(offset: number | undefined, signal: AbortSignal): Promise<unknown[]> {
    const parameters = {
      timeout: POLL_S,
      allowed_updates: ALLOWED,
      ...(offset === undefined ? {} : { offset }),
    }
    const updates = await api.call('getUpdates', parameters, { signal, timeoutMs: POLL_TIMEOUT_MS })
    return Array.isArray(updates) ? updates : []
  }

  /** Tells Telegram where we are; again until it has heard it. */
  async function announce({ url, secret }: TelegramWebhook): Promise<void> {
    const turn = await host.receiving.next()
    if (turn === undefined) return
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await api.call('setWebhook', { url, secret_token: secret, allowed_updates: ALLOWED })
        return
      } catch (error) {
        if (closing.signal.aborted) return
        if (failures === 0) host.report({ doing: 'telling telegram our address', error })
        await pause(Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS), closing.signal)
      }
    }
  }

  function pause(forMs: number, over: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = host.clock.after(forMs, resolve)
      over.addEventListener('abort', () => {
        timer.cancel()
        resolve()
      })
    })
  }

  return {
    ...(webhook === undefined ? {} : { doors: [webhookDoor(webhook, handle)] }),
    async close() {
      closing.abort()
      await running
      api.close()
    },
  }
}

type HandleUpdate = (update: unknown) => Promise<void>

function createUpdateHandler(api: TelegramApi, host: ChatHost): HandleUpdate {
  const failures = new Map<number, number>()

  async function handle(value: unknown): Promise<void> {
    const update = parseUpdate(value)
    if (update === undefined) return
    if (update.kind === 'message') return host.message(update.message)
    const acknowledge: Acknowledge = async (answer) => {
      const told = answer && { text: answer.text.slice(0, MAX_ALERT), show_alert: answer.isAlert }
      await api.call('answerCallbackQuery', { callback_query_id: update.query, ...told })
    }
    if (update.kind === 'anonymous') {
      await acknowledge(undefined).catch((error) => host.report({ doing: 'acknowledging a click', error }))
      return
    }
    await host.click(update.click, acknowledge)
  }

  return async (value) => {
    const id = updateId(value) ?? 0
    try {
      await handle(value)
      failures.delete(id)
    } catch (error) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      const isOfStore = isBanksmanError(error) && error.code.startsWith('store_')
      if (isOfStore || count < MAX_TRIES) throw error
      failures.delete(id)
      host.report({ doing: `handling update ${id} of telegram; given up`, error })
    }
  }
}

function next(updates: readonly unknown[], before: number | undefined): number | undefined {
  const ids = updates.map(updateId).filter((id) => id !== undefined)
  return ids.length === 0 ? before : Math.max(...ids) + 1
}

/** Telegram signs nothing: it sends the secret that it was told over TLS. An update that is sent again has the same ids. */
function webhookDoor({ secret }: TelegramWebhook, handle: HandleUpdate): SignedJsonDoor {
  return {
    kind: 'signed',
    channel: SERVICE,
    path: WEBHOOK_PATH,
    summary: 'Where Telegram sends clicks and messages.',
    body: 'json',
    maxBodyBytes: MAX_BODY_BYTES,
    places: 32,
    verify: ({ header }: SentBytes) => isSame(header('x-telegram-bot-api-secret-token') ?? '', secret),
    async answer({ body }) {
      await handle(body)
      return { kind: 'empty', status: 200 }
    },
  }
}

function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
