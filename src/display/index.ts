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
export { commandLineOf } from './arguments/command-line-of.ts'
export { cutCommandLine, type LineCommand, type LinePlace } from './arguments/cut-command-line.ts'
export { createQuotes, createValueQuotes, type QuoteArguments } from './arguments/quote-arguments.ts'
export { summarizeForJournal } from './arguments/summarize-for-journal.ts'
export { type DiffLine, diffLines, type Hunk, type LineDiff } from './diff/diff-lines.ts'
export { type Mask, type MaskedArguments, maskArguments } from './masks/mask.ts'
export type { SecretKind } from './masks/secret-kind.ts'
export { unmaskEdit } from './masks/unmask-edit.ts'
export {
  type CallToRender,
  changedFileOf,
  type RenderOptions,
  renderArguments,
  renderCall,
} from './render.ts'
export { renderText, type TextOptions, widthOf } from './render-text.ts'
export type { Rendering } from './rendering.ts'
export { makeVisibleWithin, type Shortened, shorten } from './text/shorten.ts'
export { makeVisible, type VisibleOptions } from './text/visible.ts'
export { type ApprovalBounds, approvalBounds, sayBounds } from './words/approval-bounds.ts'
export type { Locale } from './words/rendering-words.ts'
