/**
 * The parts of a rendered call, as plain JSON. Channels lay them out as they can; every text in here is safe to
 * show as text, and none is safe as markup.
 */
import type { Mask } from './mask.ts'
import type { Shape } from './shapes.ts'
import type { LeftOut } from './shorten.ts'
import type { VisibleText } from './visible.ts'

export interface Rendering {
  /** How the arguments are laid out; a hint for a picture or a heading, never a statement about the tool. */
  shape: Shape['kind']
  title: string
  /** One line, for a notification or a list. */
  summary: string
  fields: Field[]
  blocks: Block[]
  masks: Mask[]
  /** What a person should know before they read on. In the rendering's language. */
  warnings: string[]
}

/** A short value. Without a pointer it is not an argument: the working folder, what a path really is. */
export interface Field {
  /** The argument's key, in quotes unless it is a plain name, so that no key can pass for a label of ours. */
  label: string
  pointer?: string
  value: VisibleText
  masked?: { kind: Mask['kind']; length: number }
  shortened?: LeftOut
}

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
