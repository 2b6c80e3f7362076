/**
 * A card as every service shows it: plain texts in an order, with buttons. Every text was made visible and masked by `display`,
 * and is safe as text; none is safe as markup, so drivers escape it (P9). `words` are ours; `code` and `quote` come from the
 * call, the agent or a person, and are drawn so that nobody takes them for our words.
 */
import type { Locale } from '../../../display/words/rendering-words.ts'

export interface Card {
  locale: Locale
  tone: CardTone
  title: string
  /** Approvers, and nobody else. */
  mentions: readonly Mention[]
  parts: readonly CardPart[]
  /** In rows. A row's buttons stand side by side where there is room. */
  buttons: readonly (readonly CardButton[])[]
  /** Only where the service has forms. */
  forms: readonly CardForm[]
  /** Where the whole request is. */
  inbox: { label: string; url: string } | undefined
}

/** A picture or a colour. It says nothing that the words don't say. */
export type CardTone = 'pending' | 'risky' | 'approved' | 'refused' | 'over'

export interface Mention {
  account: string
  /** How we call them. */
  name: string
}

export type CardPart =
  | { kind: 'words'; label?: string; text: string }
  /** What would run, line by line. */
  | { kind: 'code'; label?: string; text: string }
  /** What the agent or a person wrote. */
  | { kind: 'quote'; label: string; text: string }

export interface CardButton {
  label: string
  style: 'primary' | 'danger' | 'default'
  /** All that the button carries. */
  handle: string
}

export interface CardForm {
  fields: readonly CardField[]
  submit: CardButton
}

export interface CardField {
  name: string
  label: string
  isRequired: boolean
  /** Absent: a text of one's own. What was chosen comes back as its place in this list: `0`, `1` … */
  options?: readonly string[]
  isMultiple?: boolean
}

/** What a button stands for. It is kept in the store and never sent. */
export type CardAction =
  | { kind: 'approve' }
  /** With the field `reason` of its form, where it has one. */
  | { kind: 'reject' }
  /** Asks for the reason, where the service has no forms. */
  | { kind: 'ask_reason' }
  /** No button: a reply to the card answers the one question. */
  | { kind: 'reply' }
  /** One choice answers the one question. */
  | { kind: 'choose'; choice: number }
  /** It decides nothing: the card is a test. */
  | { kind: 'test' }
  /** The form has an answer to each question: `q0`, `q1` … and `q0_text` … */
  | { kind: 'answer' }
