/**
 * What a person is shown of a call: the one rendering that all channels share (P9).
 *
 * `renderCall` and `renderText` show a call whole; `makeVisible`, `makeVisibleWithin`, `shorten` and `diffLines`
 * are for any other text that came from outside; `maskArguments`, `unmaskEdit` and `summarizeForJournal` keep
 * secrets out of screens and journal. Nothing here needs Node: a browser can use it too.
 */
export type {
  Block,
  CallParts,
  DiffBlock,
  DiffRow,
  Field,
  GapRow,
  LeftOut,
  LineRow,
  Span,
  SpanKind,
  TextBlock,
  VisibleText,
} from '../core/rendering.ts'
export { type ApprovalBounds, approvalBounds, sayBounds } from './approval-bounds.ts'
export { cutCommandLine, type LineCommand, type LinePlace } from './command-line.ts'
export { type DiffLine, diffLines, type Hunk, type LineDiff } from './diff.ts'
export { type Mask, type MaskedArguments, maskArguments, unmaskEdit } from './mask.ts'
export { createQuotes, createValueQuotes, type QuoteArguments } from './quote-arguments.ts'
export {
  type CallToRender,
  changedFileOf,
  type RenderOptions,
  renderArguments,
  renderCall,
} from './render.ts'
export { renderText, type TextOptions, widthOf } from './render-text.ts'
export type { Rendering } from './rendering.ts'
export type { SecretKind } from './secrets.ts'
export { makeVisibleWithin, type Shortened, shorten } from './shorten.ts'
export { summarizeForJournal } from './summarize.ts'
export { makeVisible, type VisibleOptions } from './visible.ts'
export { commandLineOf } from './word-list.ts'
export type { Locale } from './words.ts'
