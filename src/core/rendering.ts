/**
 * What a rendered call consists of, as plain JSON: `display` makes it, the server sends it, and whatever shows it to
 * people lays it out as it can. Every text in here is safe to show as text, and none is safe as markup (P9).
 */

/**
 * - `escape`: a character that could not be seen;
 * - `spelled`: an ordinary one that would not be clear here: a line break in one line, a long run of blanks, our
 *   own bracket;
 * - `mixed-script`: a word that is not what it looks like, with its mark;
 * - `mask`, `left-out`: our own words in place of a secret, or of what was too long.
 */
export const SPAN_KINDS = ['text', 'escape', 'spelled', 'mixed-script', 'mask', 'left-out'] as const

export type SpanKind = (typeof SPAN_KINDS)[number]

export interface Span {
  text: string
  kind: SpanKind
  /** What the character, the mixture or the mask is called. */
  name?: string
}

/** A part of a command line that is of one kind and belongs to one command. */
export interface LinePiece extends Span {
  /** The innermost command that it belongs to, by its place in the list of the line's commands. */
  command?: number
  /** The doubt that it raises, by its place in the list of the line's doubts. */
  doubt?: number
}

/** `text` is what the spans say one after another. Both are safe to show as they are, but not as markup. */
export interface VisibleText {
  text: string
  spans: Span[]
}

/** How much of a value is not shown. */
export interface LeftOut {
  leftOut: number
  total: number
}

/** How arguments are laid out; a hint for a picture or a heading, never a statement about the tool. */
export const SHAPE_KINDS = ['command', 'write', 'edit', 'other'] as const

export type ShapeKind = (typeof SHAPE_KINDS)[number]

/** What a call would do, by what the catalogue knows of its tool. `other`: it knows nothing, so only the tool's name is said. */
export const INTENT_KINDS = [
  'command',
  'write',
  'edit',
  'read',
  'fetch',
  'mail',
  'question',
  'other',
] as const

export type IntentKind = (typeof INTENT_KINDS)[number]

/** The arguments, each exactly once: the short ones as fields, the others in blocks. */
export interface CallParts {
  shape: ShapeKind
  fields: Field[]
  blocks: Block[]
}

/** A short value. Without a pointer it is not an argument, and `about` says what it is. */
export interface Field {
  /** The argument's key, in quotes unless it is a plain name, so that no key can pass for a label of ours. */
  label: string
  pointer?: string
  about?: FieldTopic
  value: VisibleText
  /** `name`: it is hidden because of it, and not because of its shape. */
  masked?: { kind: string; length: number; name?: string }
  shortened?: LeftOut
}

/** The working folder, where a path really leads, what the tool says of itself. */
export const FIELD_TOPICS = ['folder', 'path', 'tool'] as const

export type FieldTopic = (typeof FIELD_TOPICS)[number]

export type Block = TextBlock | DiffBlock

export interface TextBlock {
  kind: 'code' | 'json' | 'text'
  label: string
  /** The arguments that are shown here. */
  pointers: string[]
  language?: string
  value: VisibleText
  shortened?: LeftOut
}

export interface DiffBlock {
  kind: 'diff'
  label: string
  pointers: string[]
  rows: DiffRow[]
  added: number
  removed: number
  /** False where the difference was too large to be compared line by line. */
  isComplete: boolean
  /** Counted in lines; a line that is too long by itself has its mark in it. */
  shortened?: LeftOut
}

export type DiffRow = LineRow | GapRow

export interface LineRow {
  kind: 'same' | 'removed' | 'added'
  value: VisibleText
  oldLine?: number
  newLine?: number
  isUnterminated?: true
}

/** Lines that are not shown: the same before and after, or left out because the difference is too long. */
export interface GapRow {
  kind: 'unchanged' | 'left-out'
  count: number
  text: string
}
