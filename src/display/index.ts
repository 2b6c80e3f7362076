/**
 * What a person is shown of a call: the one rendering that all channels share (P9).
 *
 * `renderCall` and `renderText` show a call whole; `makeVisible`, `makeVisibleWithin`, `shorten` and `diffLines`
 * are for any other text that came from outside; `maskArguments`, `unmaskEdit` and `summarizeForJournal` keep
 * secrets out of screens and journal. Nothing here needs Node: a browser can use it too.
 */
export { type DiffLine, diffLines, type Hunk, type LineDiff } from './diff.ts'
export { type Mask, type MaskedArguments, maskArguments, unmaskEdit } from './mask.ts'
export { type CallToRender, type RenderOptions, renderArguments, renderCall } from './render.ts'
export { renderText, type TextOptions, widthOf } from './render-text.ts'
export type { Block, DiffBlock, DiffRow, Field, GapRow, LineRow, Rendering, TextBlock } from './rendering.ts'
export type { SecretKind } from './secrets.ts'
export { type LeftOut, makeVisibleWithin, type Shortened, shorten } from './shorten.ts'
export { summarizeForJournal } from './summarize.ts'
export { makeVisible, type Span, type SpanKind, type VisibleOptions, type VisibleText } from './visible.ts'
export type { Locale } from './words.ts'
