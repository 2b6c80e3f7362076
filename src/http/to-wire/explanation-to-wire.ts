/**
 * What the policy says of a call, as people are shown it. It quotes the call, so everything in it is made visible, and a
 * secret among the arguments stands as its mask (P9). A line may have any number of commands: those that are too many are
 * counted, and the strictest are never among them.
 */

import type { CallContent } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import type { Because } from '../../core/reasons/reason.ts'
import { STRICTEST_FIRST } from '../../core/verdict.ts'
import { cutCommandLine, type LineCommand, type LinePlace } from '../../display/arguments/cut-command-line.ts'
import { findWordList } from '../../display/arguments/find-word-list.ts'
import { createQuotes } from '../../display/arguments/quote-arguments.ts'
import { cutWordList } from '../../display/arguments/word-list.ts'
import { valueAt } from '../../display/masks/json-pointer.ts'
import { type Mask, type MaskedArguments, maskedIn } from '../../display/masks/mask.ts'
import { leftOutMark } from '../../display/text/shorten.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WireDoubt, WireExplainedCommand, WireExplainedRule } from '../../wire/types/explanation.ts'
import type { WireCommandLine, WireJudgement } from '../../wire/types/view.ts'
import { becauseToWire, type SaidToWire } from './reason-to-wire.ts'

export type GatewayExplanation = Awaited<ReturnType<Gateway['explain']>>
type DoubtExplanation = NonNullable<GatewayExplanation['doubts']>[number]
type CommandExplanation = NonNullable<GatewayExplanation['commands']>[number]

/** By JSON pointer. */
type MaskAt = ReadonlyMap<string, Mask>

export type ExplanationToWire = Pick<
  WireJudgement,
  'verdict' | 'because' | 'reason' | 'mode' | 'tool' | 'rules'
> & {
  line?: WireCommandLine
}

type SayTold = (one: Because) => SaidToWire

/** How the call's own texts are shown, and what is said of it. */
interface ShownTexts {
  quote(text: string): string
  say: SayTold
}

const LONGEST_QUOTED = 400
const MOST_COMMANDS = 500
const MOST_DOUBTS = 200
const MOST_ABOUT = 20

export function explanationToWire(
  explanation: GatewayExplanation,
  content: CallContent,
  masked: MaskedArguments,
  locale: Locale,
): ExplanationToWire {
  const { masks } = maskedIn(masked, locale)
  const quotes = createQuotes({ ...masked, masks })
  const quote = (words: string) => quotes(words, LONGEST_QUOTED)
  const say: SayTold = (one) => becauseToWire(one, locale, quote)
  const { verdict, mode, tool } = explanation
  const maskAt: MaskAt = new Map(masks.map((mask) => [mask.pointer, mask]))
  const isMasked = isLineMasked(explanation, content, maskAt)
  const line = isMasked ? undefined : lineToWire(explanation, content, maskAt, { quote, say })
  return {
    verdict: verdict.kind,
    ...(isMasked ? { because: whoSays(explanation) } : say(verdict)),
    mode: quote(mode),
    tool: { ...tool, name: quote(tool.name) },
    rules: explanation.rules.map((rule) => ruleToWire(rule, quote, isMasked)),
    ...defined({ line }),
  }
}

/** What is read out of a masked line is in pieces, which are not told from other words any more. */
function isLineMasked({ pointer, list }: GatewayExplanation, content: CallContent, maskAt: MaskAt): boolean {
  if (pointer !== undefined) return maskAt.has(pointer)
  const words = list === undefined ? [] : (findWordList(content.arguments, list)?.words ?? [])
  // A word without blanks is told whole, and then as its mask.
  return words.some((word) => maskAt.has(word.pointer) && /\s/.test(word.value))
}

function whoSays({ verdict }: GatewayExplanation): string {
  if (verdict.kind === 'ask') return verdict.terms.conditions.map(({ rule }) => rule).join(', ')
  return verdict.rule ?? verdict.kind
}

function ruleToWire(
  { about, ...rule }: GatewayExplanation['rules'][number],
  quote: (words: string) => string,
  isMasked: boolean,
): WireExplainedRule {
  if (about === undefined || isMasked) return rule
  const shown = about.slice(0, MOST_ABOUT).map(quote)
  const more = about.length - shown.length
  return { ...rule, about: more > 0 ? [...shown, leftOutMark(more, 'part')] : shown }
}

function lineToWire(
  explanation: GatewayExplanation,
  content: CallContent,
  maskAt: MaskAt,
  shown: ShownTexts,
): WireCommandLine | undefined {
  const { commands = [], doubts = [] } = explanation
  const line = findLine(explanation, content, maskAt)
  if (line === undefined) return undefined
  const shownCommands = strictestFirst(commands).slice(0, MOST_COMMANDS).sort(inLine)
  const shownDoubts = doubts.slice(0, MOST_DOUBTS)
  const left = {
    commands: commands.length - shownCommands.length,
    doubts: doubts.length - shownDoubts.length,
  }
  return {
    ...line.place,
    pieces: line.cut(shownCommands, shownDoubts),
    commands: shownCommands.map(({ command }) => commandToWire(command, shown)),
    doubts: shownDoubts.map((doubt) => doubtToWire(doubt, shown)),
    ...(left.commands + left.doubts === 0 ? {} : { leftOut: left }),
  }
}

function findLine({ pointer, list }: GatewayExplanation, { arguments: args }: CallContent, maskAt: MaskAt) {
  if (pointer !== undefined) {
    const text = valueAt(args, pointer)
    if (typeof text !== 'string') return undefined
    const cut = (commands: LineCommand[], doubts: LinePlace[]) => cutCommandLine(text, commands, doubts)
    return { place: { pointer }, cut }
  }
  const found = list === undefined ? undefined : findWordList(args, list)
  if (list === undefined || found === undefined) return undefined
  const cut = (commands: LineCommand[], doubts: LinePlace[]) => cutWordList(found, maskAt, commands, doubts)
  return { place: { pointer: list.command, pointers: found.pointers }, cut }
}

interface PlacedCommand {
  command: CommandExplanation
  index: number
  start: number
  end: number
  verdict: CommandExplanation['verdict']
}

function strictestFirst(commands: readonly CommandExplanation[]): PlacedCommand[] {
  const placed = commands.map((command, index) => {
    const { start, end, verdict } = command
    return { command, index, start, end, verdict }
  })
  return STRICTEST_FIRST.flatMap((verdict) => placed.filter((one) => one.verdict === verdict))
}

function inLine(one: PlacedCommand, other: PlacedCommand): number {
  return one.index - other.index
}

function commandToWire(command: CommandExplanation, shown: ShownTexts): WireExplainedCommand {
  const { quote, say } = shown
  const { text, through, doubts, start, end, verdict, rule } = command
  return {
    text: quote(text),
    start,
    end,
    through: through.map(quote),
    verdict,
    ...say(command),
    ...defined({ rule }),
    doubts: doubts.slice(0, MOST_ABOUT).map((doubt) => doubtToWire(doubt, shown)),
  }
}

function doubtToWire(doubt: DoubtExplanation, { quote, say }: ShownTexts): WireDoubt {
  const { kind, text, start, end } = doubt
  return { kind, text: quote(text), ...say(doubt), start, end }
}
