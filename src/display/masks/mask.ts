/**
 * Masks: a whole value that is a secret is shown as `⟨masked: GitHub token, 40 characters⟩`, and one that its name calls a
 * secret as `⟨masked: hidden because of its name "password", 7 characters⟩` (P9).
 *
 * Every mask of a call has a text of its own (`#2` and so on where kind and length are the same), so a mask that
 * an editor moved to another place can be told from one that was left alone: it is refused, never filled in with
 * the wrong secret. What fills a mask is looked up by its place in the original, so writing a mask's text gets
 * nobody a secret.
 */

import type { JsonObject } from '../../core/json/json.ts'
import { type KnownTool, UNKNOWN_TOOL } from '../../core/known-tool.ts'
import type { Locale } from '../words/rendering-words.ts'
import { masksIn } from './mask-label.ts'
import { createMaskWriter, type Mask, maskObject } from './mask-values.ts'

export type { Mask } from './mask-values.ts'

export interface MaskedArguments {
  /** As they are. */
  readonly args: JsonObject
  readonly known: KnownTool
  readonly value: JsonObject
  readonly masks: readonly Mask[]
}

/**
 * The value is the same object when nothing is masked. Whoever needs the masks of one call for several things works them
 * out once and hands them on. They are not remembered here: whoever calls us may change their arguments.
 */
export function maskArguments(args: JsonObject, known: KnownTool = UNKNOWN_TOOL): MaskedArguments {
  const writer = createMaskWriter(known)
  return { args, known, value: maskObject(args, '', 0, writer), masks: writer.masks }
}

/** For who reads: the masks in the words of their language. The value stays as it goes over the wire. */
export function maskedIn(masked: MaskedArguments, locale: Locale): MaskedArguments {
  return { ...masked, masks: masksIn(masked.masks, locale) }
}
