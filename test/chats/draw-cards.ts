/**
 * A page that draws cards much as the services do: close enough to see order, emphasis, wrapping and overflow. It draws from the payloads
 * that are sent. What isn't known here throws, so that a card never looks better on the page than it is.
 */
import type { CardCase } from './card-cases.ts'

type Json = Record<string, unknown>

/** @param width Side by side, each as wide as that. Absent: one below the other, as wide as the page. */
export function cardPage(cases: readonly CardCase[], width?: number): string {
  const drawn = cases.map(
    (
      one,
    ) => `<section class="${one.service}" lang="${one.locale}" data-name="${one.service} ${one.locale} ${one.name}">
<h2>${escapeHtml(one.name)}</h2>
${one.service === 'telegram' ? drawTelegram(one.payload) : drawFeishu(one.payload)}
</section>`,
  )
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cards</title>
<style>${STYLE}${width === undefined ? '' : sheet(width)}</style><body>${drawn.join('\n')}</body>`
}

/** The text is HTML as it is: what the driver has not escaped is seen to be an element. */
function drawTelegram({ text, parse_mode, reply_markup }: Json): string {
  if (parse_mode !== 'HTML' || typeof text !== 'string') throw new Error('the text must be HTML')
  const { inline_keyboard: rows } = reply_markup as { inline_keyboard: Json[][] }
  const keyboard = rows.map(
    (row) =>
      `<div class="row">${row.map(({ text: label, url }) => drawButton(String(label), url === undefined ? 'inline' : 'inline link')).join('')}</div>`,
  )
  // A block ends its line by itself.
  const shown = text.replaceAll(/(<\/(?:pre|blockquote)>)\n/g, '$1')
  return `<article class="card"><div class="bubble">${shown}</div>${keyboard.join('')}</article>`
}

function drawFeishu({ header, body }: Json): string {
  const { title, template } = header as { title: Json; template: string }
  const { elements } = body as { elements: Json[] }
  return `<article class="card bubble"><header class="${template}">${plainText(title)}</header>
<div class="body">${elements.map(drawElement).join('')}</div></article>`
}

function drawElement(element: Json): string {
  const inner = (element.elements ?? []) as Json[]
  switch (element.tag) {
    case 'div':
      return `<div class="text${isSmall(element.text) ? ' small' : ''}">${plainText(element.text)}</div>`
    case 'markdown':
      return `<div class="text">${escapeHtml(String(element.content))}</div>`
    case 'column_set': {
      const isBlock = element.background_style === 'grey'
      const columns = (element.columns as Json[]).map(drawElement).join('')
      return `<div class="columns${isBlock ? ' grey' : ''}">${columns}</div>`
    }
    case 'column':
      return `<div class="column ${String(element.width)}">${inner.map(drawElement).join('')}</div>`
    case 'button':
      return drawButton(plainText(element.text, false), String(element.type))
    case 'form':
      return `<div class="form">${inner.map(drawElement).join('')}</div>`
    case 'input':
      return `<label>${plainText(element.label)}<input placeholder=""></label>`
    case 'select_static':
    case 'multi_select_static':
      return `<div class="select">${(element.options as Json[]).map(({ text }) => plainText(text)).join(' · ')} ▾</div>`
    case 'hr':
      return '<hr>'
    default:
      throw new Error(`nobody has drawn ${String(element.tag)} yet`)
  }
}

function isSmall(text: unknown): boolean {
  return (text as Json).text_size === 'notation'
}

function plainText(value: unknown, isEscaped = true): string {
  const { tag, content } = value as Json
  if (tag !== 'plain_text' || typeof content !== 'string') throw new Error('the text must be plain_text')
  return isEscaped ? escapeHtml(content) : content
}

function drawButton(label: string, style: string): string {
  return `<button class="${style}">${escapeHtml(label)}</button>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const sheet = (width: number) =>
  `body { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start } section { width: ${width - 24}px; margin: 0 }`

const STYLE = `
:root { color-scheme: light dark; --page: #dfe5ec; --bubble: #fff; --ink: #111; --soft: #667; --grey: #f2f3f5; --line: #d5d9e0 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0e1621; --bubble: #182533; --ink: #f2f2f2; --soft: #9ab; --grey: #2b2f36; --line: #3a4048 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 12px; background: var(--page); color: var(--ink); font: 15px/1.4 system-ui, 'Noto Sans CJK SC', sans-serif }
section { margin: 0 0 20px; max-width: 600px }
h2 { font-size: 12px; color: var(--soft); margin: 0 0 4px }
.card { max-width: 100% }
.bubble { background: var(--bubble); border-radius: 10px; overflow-wrap: anywhere }
button { font: inherit; border: 0; border-radius: 6px; padding: 7px 12px; max-width: 100%; overflow: hidden; text-overflow: ellipsis }
.telegram .card { width: min(100%, 480px) }
.telegram .bubble { padding: 8px 11px; white-space: pre-wrap }
.telegram pre { margin: 2px 0; padding: 5px 8px; border-left: 3px solid #5aa7e0; background: var(--grey); border-radius: 4px;
  font: 13.5px/1.35 monospace; white-space: pre-wrap; overflow-wrap: anywhere; display: block }
.telegram blockquote { margin: 2px 0; padding: 3px 8px; border-left: 3px solid #c77; background: var(--grey); border-radius: 4px }
.telegram .row { display: flex; gap: 4px; margin-top: 4px }
.telegram button { flex: 1; background: #7a8a9a88; color: var(--ink); white-space: nowrap; min-width: 0 }
.feishu .card { border: 1px solid var(--line); overflow: hidden }
.feishu header { padding: 10px 12px; font-weight: 600; color: #fff; display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical; overflow: hidden }
.feishu header.blue { background: #3370ff } .feishu header.red { background: #d83931 } .feishu header.green { background: #2ea121 }
.feishu header.carmine { background: #c21d5b } .feishu header.grey { background: #646a73 }
.feishu .body { padding: 12px; display: flex; flex-direction: column; gap: 8px }
.feishu .text { white-space: pre-wrap } .feishu .small { font-size: 12px; color: var(--soft); margin-bottom: -4px }
.feishu .columns { display: flex; flex-wrap: wrap; gap: 8px }
.feishu .columns.grey { background: var(--grey); border-radius: 6px; padding: 8px }
.feishu .column { min-width: 0; max-width: 100% } .feishu .column.weighted { flex: 1 }
.feishu button { border: 1px solid var(--line); background: transparent; color: var(--ink); align-self: flex-start; white-space: nowrap }
.feishu button.primary, .feishu button.primary_filled { color: #3370ff; border-color: #3370ff }
.feishu button.danger, .feishu button.danger_filled { color: #d83931; border-color: #d83931 }
.feishu button.primary_filled { background: #3370ff; color: #fff } .feishu button.danger_filled { background: #d83931; color: #fff }
.feishu .form { display: flex; flex-direction: column; gap: 8px }
.feishu label { display: block } .feishu input, .feishu .select { display: block; width: 100%; border: 1px solid var(--line); border-radius: 6px; padding: 7px; background: transparent }
`
