/** The texts of a card that come from a call, made by `display` so that every channel shows the same (P9). */
import { contentOf } from '../../../core/call.ts'
import type { KnownTool } from '../../../core/known-tool.ts'
import type { IntentKind } from '../../../core/rendering.ts'
import { currentTerms, type Request, shownBytes } from '../../../core/request.ts'
import { createQuotes, createSecretCover } from '../../../display/arguments/quote-arguments.ts'
import { maskArguments, maskedIn } from '../../../display/masks/mask.ts'
import { createTextMasks } from '../../../display/masks/mask-text.ts'
import { sayKnown, sayReason } from '../../../display/reasons/say-reason.ts'
import type { ShowText } from '../../../display/reasons/show-reason.ts'
import { renderCall } from '../../../display/render.ts'
import { renderText } from '../../../display/render-text.ts'
import { countCharacters, leftOutMark, shorten } from '../../../display/text/shorten.ts'
import { CLOSING_BRACKET, makeVisible, OPENING_BRACKET } from '../../../display/text/visible.ts'
import { sayEarlierCall } from '../../../display/words/earlier-call.ts'
import type { Locale } from '../../../display/words/rendering-words.ts'
import type { Deciding } from '../../driver.ts'

/**
 * How much of the action is shown: all of it, so many characters of each value, or one line. `least` has nothing that an agent or
 * a person could make long, so every service takes it: nobody can keep a card from being sent.
 */
export type CardExtent = 'whole' | 'part' | 'less' | 'line' | 'least'

/** From most to least. Only the first can be approved or answered. */
const EXTENTS: readonly CardExtent[] = ['whole', 'part', 'less', 'line', 'least']

const VALUE_LIMITS = { whole: Number.POSITIVE_INFINITY, part: 400, less: 60 } as const
/** More than any chat takes in one card: it isn't written out to see that. */
const MAX_BYTES = 64 * 1024

/** Those that are worth trying. */
export function extentsFor(request: Request): readonly CardExtent[] {
  return shownBytes(request).length > MAX_BYTES ? EXTENTS.slice(1) : EXTENTS
}

/** Of what the agent or a person says beside the call. */
const LONGEST_WORDS = 300
const LONGEST_BECAUSE = 500

export interface CallTexts {
  intent: IntentKind
  /** Undefined where it was erased. */
  action: string | undefined
  warnings: readonly string[]
  because: string
  /** What makes the risk high. */
  risk: string | undefined
  /** Somebody's words: secrets of the call masked, and cut where they are long. */
  say(words: string): string
}

export function callTexts(
  request: Request,
  extent: CardExtent,
  locale: Locale,
  knownTool: Deciding['knownTool'],
): CallTexts {
  const bytes = shownBytes(request)
  const none = request.kind === 'question' ? 'question' : 'other'
  if (bytes === '') {
    const because = sayReason(request, locale, line)
    return {
      intent: none,
      action: undefined,
      warnings: [],
      because,
      risk: riskOf(request, locale, line),
      say: maskedWords,
    }
  }
  const content = contentOf(bytes)
  const known: KnownTool = knownTool(content)
  const masked = maskArguments(content.arguments, known)
  const cover = createSecretCover(maskedIn(masked, locale))
  const asked = contentOf(request.bytes === '' ? bytes : request.bytes)
  const quotes = createQuotes(maskedIn(maskArguments(asked.arguments, knownTool(asked)), locale))
  const shown = (text: string) => quotes(text, LONGEST_BECAUSE)
  const isLine = extent === 'line' || extent === 'least'
  const limit = isLine ? VALUE_LIMITS.less : VALUE_LIMITS[extent]
  const rendering = renderCall(content, { known, masked, locale, limit })
  const { fields, blocks } = rendering
  const text = renderText({ ...rendering, tool: '', warnings: [] }, { locale })
  const whole = fields.length + blocks.length === 0 ? line(rendering.summary) : text
  return {
    intent: rendering.intent,
    action: isLine ? rendering.summary : whole,
    warnings: [
      ...(request.sameCall === undefined ? [] : [sayEarlierCall(request.sameCall, locale)]),
      ...rendering.warnings,
    ],
    because: sayReason(request, locale, shown),
    risk: riskOf(request, locale, shown),
    say: (words) => within(cover(words, createTextMasks())),
  }
}

function riskOf(request: Request, locale: Locale, show: ShowText): string | undefined {
  const { risk } = currentTerms(request)
  return risk === undefined ? undefined : sayKnown(risk, locale, show)
}

/** Names and other short words that are not ours. */
export function line(text: string, longest = LONGEST_WORDS): string {
  return within(makeVisible(text).text, longest)
}

function maskedWords(words: string): string {
  return within(createTextMasks()(words))
}

/** Masks first, so that no part of a secret is left; what stands in brackets of ours is left out whole. */
export function within(shown: string, longest = LONGEST_WORDS): string {
  const { head, tail, leftOut } = shorten(shown, longest)
  if (leftOut === 0) return head
  const [start, end] = [head.replace(OPEN_BRACKET, ''), tail.replace(CLOSED_BRACKET, '')]
  const count = countCharacters(shown) - countCharacters(start) - countCharacters(end)
  return `${start}${leftOutMark(count)}${end}`
}

const OPEN_BRACKET = new RegExp(`${OPENING_BRACKET}[^${CLOSING_BRACKET}]*$`, 'u')
const CLOSED_BRACKET = new RegExp(`^[^${OPENING_BRACKET}]*${CLOSING_BRACKET}`, 'u')
