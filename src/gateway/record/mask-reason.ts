/**
 * The words that a person or an agent gives as a reason, as the journal keeps them: a secret in them stands as its mask,
 * whether it looks like one or is masked in the call that they are about (P9). What is written is signed and never
 * changed again, so nothing could take it back later.
 */

import { contentOf } from '../../core/call.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import { createSecretCover } from '../../display/arguments/quote-arguments.ts'
import { maskArguments } from '../../display/masks/mask.ts'
import { createTextMasks } from '../../display/masks/mask-text.ts'
import type { Policy } from '../../policy/policy.ts'

export function withMaskedReason(
  members: JsonObject,
  request: Request | undefined,
  policy: () => Policy,
): JsonObject {
  const { reason } = members
  if (typeof reason !== 'string') return members
  // An edit may bring secrets that the call did not have. What was erased can't be compared with.
  const calls = [...new Set([request?.bytes, request?.progress.edit?.bytes])].filter((bytes) => bytes)
  const mask = calls.reduce<(words: string) => string>((show, bytes) => {
    const content = contentOf(bytes!)
    const cover = createSecretCover(maskArguments(content.arguments, policy().knownTool(content)))
    return (words) => cover(words, show)
  }, createTextMasks())
  return { ...members, reason: mask(reason) }
}
