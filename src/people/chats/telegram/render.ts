/**
 * A card as a Telegram message: HTML in which only `& < >` mean anything, and they are escaped. The action stands in `<pre>`,
 * where nothing becomes a link, a mention or a command. Its length is counted after escaping, which is more than Telegram counts:
 * what would be cut is never sent.
 */
import type { JsonObject } from '../../../core/json/json.ts'
import type { Card, CardPart, CardTone } from '../card/card.ts'
import type { RenderedCard, ShownNotice } from '../contract.ts'

export const MAX_TEXT = 4096
const MAX_LABEL = 60

const TONES: Readonly<Record<CardTone, string>> = {
  pending: '🔔',
  risky: '🚨',
  approved: '✅',
  refused: '⛔',
  over: '⌛',
}

export function renderTelegram(card: Card): RenderedCard | { tooLong: true } {
  const { title, tone, mentions, parts, buttons, inbox } = card
  const isPublic = inbox !== undefined && isPublicUrl(inbox.url)
  const text = [
    `${TONES[tone]} <b>${plain(title)}</b>`,
    ...(mentions.length === 0 ? [] : [mentions.map(mention).join(' ')]),
    ...parts.map((part) => renderPart(part, card.locale === 'zh' ? '：' : ': ')),
    // Telegram takes no button to an address that only this machine knows.
    ...(inbox === undefined || isPublic
      ? []
      : [`${escapeHtml(inbox.label)}: <code>${escapeHtml(inbox.url)}</code>`]),
  ].join('\n')
  if (text.length > MAX_TEXT) return { tooLong: true }
  const rows = buttons.map((row) =>
    row.map(({ label, handle }) => ({ text: shortLabel(label), callback_data: handle })),
  )
  const links = isPublic ? [[{ text: inbox.label, url: inbox.url }]] : []
  const payload: JsonObject = {
    text,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [...rows, ...links] },
  }
  return { payload }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function renderPart({ kind, label, text }: CardPart, colon: string): string {
  const head = label === undefined ? '' : `<b>${plain(label)}</b>`
  if (kind === 'words') return label === undefined ? plain(text) : `${head}${colon}${plain(text)}`
  const body = kind === 'code' ? `<pre>${escapeHtml(text)}</pre>` : `<blockquote>${plain(text)}</blockquote>`
  return label === undefined ? body : `${head}\n${body}`
}

/**
 * Outside of `<pre>` Telegram itself makes links and mentions of what looks like one: `@name`, `#tag`, `/command`, an address.
 * An invisible character after the sign keeps it text.
 */
export function plain(text: string): string {
  return withoutLinks(escapeHtml(text))
}

/**
 * A notice as plain text, in which what is strong and what is quoted is named by its place: no text of it is read as markup. What is
 * quoted is preformatted, where Telegram finds nothing to link.
 */
export function renderTelegramNotice({ sign, title, detail, quoted }: ShownNotice): JsonObject {
  const start = sign === '' ? '' : `${sign} `
  const strong = withoutLinks(title)
  const head = `${start}${strong}${detail === '' ? '' : ` ${withoutLinks(detail)}`}`
  const above = quoted === undefined ? head : `${head}\n\n${withoutLinks(quoted.label)}\n`
  const entities = [
    { type: 'bold', offset: start.length, length: strong.length },
    ...(quoted === undefined ? [] : [{ type: 'pre', offset: above.length, length: quoted.text.length }]),
  ]
  return {
    text: `${above}${quoted?.text ?? ''}`,
    entities,
    link_preview_options: { is_disabled: true },
  }
}

function withoutLinks(text: string): string {
  return text.replaceAll(/[@#/$](?=[\p{L}\p{N}_])|\.(?=\p{L})|:(?=\/\/)/gu, (sign) => `${sign}\u2060`)
}

function mention({ account, name }: { account: string; name: string }): string {
  return `<a href="tg://user?id=${encodeURIComponent(account)}">${escapeHtml(name)}</a>`
}

function shortLabel(label: string): string {
  const characters = [...label]
  return characters.length <= MAX_LABEL ? label : `${characters.slice(0, MAX_LABEL - 1).join('')}…`
}

function isPublicUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname.includes('.') && !/^[\d.]+$/.test(hostname)
}
