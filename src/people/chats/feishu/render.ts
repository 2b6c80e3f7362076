/**
 * A card as Feishu's JSON 2.0. Whatever comes from a call, an agent or a person is `plain_text`, in which nothing is markup, a
 * link or a mention; only our own mentions of approvers are `markdown`. Its size is that of the body that is sent, in which the
 * card is a JSON text within JSON: what would be refused or cut is never sent.
 */
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import type { Card, CardButton, CardField, CardForm, CardPart, CardTone, Mention } from '../card/card.ts'
import type { RenderedCard, ShownNotice } from '../contract.ts'

/** 30 KB are documented. Whether that is 30,000 or more is not. */
export const MAX_BODY_BYTES = 30_000
const MAX_ELEMENTS = 180
/** The header shows four lines and cuts the rest. A title that might be longer stands in the body, too. */
const MAX_TITLE = 60
const MAX_LABEL = 60
const MAX_FIELD_LABEL = 200
/** Of a text field: the service takes no more. */
const MAX_INPUT = 1000
/** Of everything in the body besides the card, at its longest. */
const ENVELOPE = { receive_id: 'x'.repeat(64), msg_type: 'interactive', uuid: 'x'.repeat(50) }

const TEMPLATES: Readonly<Record<CardTone, string>> = {
  pending: 'blue',
  risky: 'red',
  approved: 'green',
  refused: 'carmine',
  over: 'grey',
}

export function renderFeishu(card: Card): RenderedCard | { tooLong: true } {
  const { title, tone, mentions, parts, buttons, forms, inbox } = card
  const elements = [
    ...mentionElements(mentions),
    ...([...title].length > MAX_TITLE ? [words(title)] : []),
    ...parts.flatMap((part) => partElements(part, card.locale === 'zh' ? '：' : ': ')),
    ...buttons.map(row),
    ...forms.map(form),
    ...(inbox === undefined ? [] : [linkButton(inbox)]),
  ]
  const payload = cardOf(elements, { title: plain(title), template: TEMPLATES[tone] })
  return fits(payload, elements.length) ? { payload } : { tooLong: true }
}

/** A card that is nothing but a text. A text message would not do: it has markup. */
export function renderText(text: string): JsonObject {
  return cardOf([words(text)])
}

/** A notice has no header and no button, so that nobody takes it for a request. */
export function renderFeishuNotice({ sign, title, detail, quoted }: ShownNotice): JsonObject {
  const head = [sign, title, detail].filter((part) => part !== '').join(' ')
  return cardOf([
    { tag: 'div', text: { ...plain(head), text_size: 'heading' } },
    ...(quoted === undefined ? [] : partElements({ kind: 'quote', ...quoted }, '')),
  ])
}

function cardOf(elements: JsonValue[], header?: { title: JsonObject; template: string }): JsonObject {
  return {
    schema: '2.0',
    // A card that was forwarded would be in a chat that nobody chose, with buttons that stand for nothing there.
    config: { update_multi: true, enable_forward: false },
    ...(header === undefined ? {} : { header }),
    body: { elements },
  }
}

function fits(payload: JsonObject, elements: number): boolean {
  const body = JSON.stringify({ ...ENVELOPE, content: JSON.stringify(payload) })
  return elements <= MAX_ELEMENTS && Buffer.byteLength(body) <= MAX_BODY_BYTES
}

function plain(content: string): JsonObject {
  return { tag: 'plain_text', content }
}

function words(text: string): JsonObject {
  return { tag: 'div', text: plain(text) }
}

function mentionElements(mentions: readonly Mention[]): JsonObject[] {
  const content = mentions
    .filter(({ account }) => /^\w+$/.test(account))
    .map(({ account }) => `<at id=${account}></at>`)
    .join(' ')
  return content === '' ? [] : [{ tag: 'markdown', content }]
}

/** What is above a block, smaller and grey, so that the block is what is read. */
function caption(label: string): JsonObject {
  return { tag: 'div', text: { ...plain(label), text_size: 'notation', text_color: 'grey' } }
}

function partElements({ kind, label, text }: CardPart, colon: string): JsonObject[] {
  if (kind === 'words') return [words(label === undefined ? text : `${label}${colon}${text}`)]
  // On grey, so that nobody takes it for our words.
  const block = {
    tag: 'column_set',
    background_style: 'grey',
    columns: [{ tag: 'column', width: 'weighted', weight: 1, elements: [words(text)] }],
  }
  return label === undefined ? [block] : [caption(label), block]
}

function row(buttons: readonly CardButton[]): JsonObject {
  if (buttons.length === 1) return button(buttons[0]!)
  return {
    tag: 'column_set',
    flex_mode: 'flow',
    columns: buttons.map((one) => ({ tag: 'column', width: 'auto', elements: [button(one)] })),
  }
}

function button({ label, style, handle }: CardButton): JsonObject {
  return {
    tag: 'button',
    type: style,
    text: plain(short(label, MAX_LABEL)),
    behaviors: [{ type: 'callback', value: { handle } }],
  }
}

/** The button that submits has the handle as its name, too: not every client sends the value of such a button. */
function form({ fields, submit }: CardForm): JsonObject {
  return {
    tag: 'form',
    name: `form_${submit.handle}`,
    elements: [
      ...fields.flatMap(field),
      { ...button(submit), name: submit.handle, form_action_type: 'submit' },
    ],
  }
}

function field({ name, label, isRequired, options, isMultiple }: CardField): JsonObject[] {
  const hint = plain(short(label, MAX_FIELD_LABEL))
  if (options === undefined)
    return [
      { tag: 'input', name, required: isRequired, max_length: MAX_INPUT, label: hint, label_position: 'top' },
    ]
  const select: JsonObject = {
    tag: isMultiple === true ? 'multi_select_static' : 'select_static',
    name,
    required: isRequired,
    options: options.map((option, place) => ({ text: plain(option), value: String(place) })),
  }
  return [{ tag: 'div', text: hint }, select]
}

function linkButton({ label, url }: NonNullable<Card['inbox']>): JsonObject {
  return {
    tag: 'button',
    type: 'default',
    text: plain(label),
    behaviors: [{ type: 'open_url', default_url: url }],
  }
}

function short(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
