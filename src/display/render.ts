/**
 * The one canonical rendering of a call, from which every channel makes what it shows (P9). Every argument is
 * in it exactly once, as a field or in a block; what is masked or shortened says so where it stands and again in
 * the warnings. With `limit: Infinity` nothing is shortened: that is the way to see it whole.
 */
import type { CommandPlace, ToolDefinition } from '../core/call.ts'
import type { JsonObject } from '../core/json/json.ts'
import type { KnownTool } from '../core/known-tool.ts'
import { QUESTION_TOOL } from '../core/question.ts'
import type { IntentKind } from '../core/rendering.ts'
import type { Facts } from '../core/verdict.ts'
import { recognizeShape, type Shape } from './arguments/argument-shapes.ts'
import { type LayoutDraft, labelOf, layOutArguments } from './arguments/lay-out-arguments.ts'
import { mailPartsOf } from './arguments/mail-parts.ts'
import { createWarningCollector } from './arguments/warning-collector.ts'
import { showWordList } from './arguments/word-list.ts'
import { countLines, createCallDiffBudget, isDiff } from './diff/render-diff.ts'
import { intentOf, titleOf } from './intent.ts'
import { childPointer, valueAt } from './masks/json-pointer.ts'
import { type Mask, type MaskedArguments, maskArguments } from './masks/mask.ts'
import { masksIn } from './masks/mask-label.ts'
import type { Rendering } from './rendering.ts'
import { leftOutMark, makeVisibleWithin } from './text/shorten.ts'
import { VALUE_LIMIT } from './text/value-limit.ts'
import { makeVisible } from './text/visible.ts'
import { sayTool } from './words/headlines.ts'
import { type Locale, renderingWords } from './words/rendering-words.ts'

export interface CallToRender {
  tool: string
  arguments: JsonObject
  cwd?: string | undefined
  definition?: ToolDefinition | undefined
}

export interface RenderOptions {
  /** What the catalogue knows of the tool. Without it more is masked, and a command is looked for by the usual names. */
  known?: KnownTool | undefined
  /** Its masks, where they are known already. */
  masked?: MaskedArguments | undefined
  /** What was looked up when the call was judged: with a file's text a change is shown against it. */
  facts?: Facts | undefined
  locale?: Locale | undefined
  /** How many characters of one value are shown. */
  limit?: number | undefined
}

export function renderCall(content: CallToRender, options: RenderOptions = {}): Rendering {
  const { locale = 'en' } = options
  const words = renderingWords(locale)
  const warnings = createWarningCollector(words)
  const { masks } = options.masked ?? maskArguments(content.arguments, options.known)
  const maskAt = new Map(masksIn(masks, locale).map((mask) => [mask.pointer, mask]))
  const draft: LayoutDraft = {
    tool: content.tool,
    args: content.arguments,
    words,
    warnings,
    maskAt,
    shape: shapeWithoutMasks(content.arguments, maskAt, options.known?.command),
    facts: options.facts?.paths ?? {},
    limit: options.limit ?? VALUE_LIMIT,
    budget: createCallDiffBudget(),
    fields: [],
    blocks: [],
  }
  const tool = labelOf(draft, content.tool)
  addSurroundings(draft, content)
  layOutArguments(draft)
  const gist = gistOf(draft)
  const { intent, target = gist } = titlePartsOf(draft, options.known)
  return {
    shape: draft.shape.kind === 'words' ? 'command' : draft.shape.kind,
    tool,
    intent,
    title: titleOf(intent, sayTool(tool, locale), target, words),
    summary: `${tool}: ${gist}`,
    fields: draft.fields,
    blocks: draft.blocks,
    masks: [...masks],
    warnings: warnings.list(masks),
    ...(warnings.isShortened() ? { isShortened: true } : {}),
  }
}

/** The arguments as they go over the wire: the same structure, with masks in the place of secrets. */
export function renderArguments(args: JsonObject, known?: KnownTool): JsonObject {
  return maskArguments(args, known).value
}

const LONGEST_GIST = 160
const LONGEST_DESCRIPTION = 500
/** Less of a text than this says nothing. */
const SHORTEST_TEXT = 40

/** The argument that names the file which a call writes or edits, by JSON pointer: the one whose fact may have a text. */
export function changedFileOf(args: JsonObject): string | undefined {
  const { kind } = recognizeShape(args)
  if (kind !== 'edit' && kind !== 'write') return undefined
  const maskAt = new Map(maskArguments(args).masks.map((mask) => [mask.pointer, mask]))
  const shape = shapeWithoutMasks(args, maskAt)
  if ((shape.kind !== 'edit' && shape.kind !== 'write') || shape.path === undefined) return undefined
  const pointer = childPointer('', shape.path)
  return maskAt.has(pointer) ? undefined : pointer
}

/** A mask is never looked through for the sake of a layout. */
function shapeWithoutMasks(args: JsonObject, maskAt: ReadonlyMap<string, Mask>, place?: CommandPlace): Shape {
  const shape = recognizeShape(args, place)
  // In a list each mask stands in the place of one word.
  if (shape.kind === 'other' || shape.kind === 'words') return shape
  const pointers =
    shape.kind === 'edit' ? shape.changes.flatMap((change) => change.pointers) : [childPointer('', shape.key)]
  return pointers.some((pointer) => maskAt.has(pointer)) ? { kind: 'other' } : shape
}

function addSurroundings(draft: LayoutDraft, content: CallToRender): void {
  const { words, warnings, facts, maskAt } = draft
  if (content.cwd !== undefined) {
    draft.fields.push({
      label: words.workingFolder,
      about: 'folder',
      value: warnings.see(makeVisible(content.cwd)),
    })
  }
  for (const [pointer, fact] of Object.entries(facts)) {
    if (maskAt.has(pointer) || valueAt(content.arguments, pointer) === fact.resolved) continue
    const label = words.realPath(labelOf(draft, pointer.slice(1)))
    draft.fields.push({ label, about: 'path', value: warnings.see(makeVisible(fact.resolved)) })
  }
  const description = content.definition?.description
  if (description !== undefined && description !== '') {
    // Not counted as shortened: it is the tool's word about itself and no part of what is run.
    const shown = makeVisibleWithin(description, LONGEST_DESCRIPTION)
    warnings.see(shown.value)
    draft.fields.push({ label: words.toolDescription, about: 'tool', ...shown })
  }
}

function gistOf(draft: LayoutDraft): string {
  const { shape, args, words, blocks } = draft
  if (shape.kind === 'words') return showWordList(shape.list, draft.maskAt, LONGEST_GIST).value.text
  if (shape.kind === 'command') return gistOfCommand(draft, shape)
  if (shape.kind === 'other' || shape.path === undefined) return gistOfQuestion(draft) ?? gistOfFields(draft)
  const path = gistText(args[shape.path] as string)
  if (shape.kind === 'write') {
    return `${path} (${words.lineCount(countLines(args[shape.key] as string))})`
  }
  const diffs = blocks.filter(isDiff)
  const added = diffs.reduce((sum, block) => sum + block.added, 0)
  const removed = diffs.reduce((sum, block) => sum + block.removed, 0)
  return diffs.length === 0 ? path : `${path} (+${added} −${removed})`
}

/** What the title says is done, and to what; without `target` to all of the gist. */
function titlePartsOf(
  draft: LayoutDraft,
  known: KnownTool | undefined,
): { intent: IntentKind; target?: string } {
  const { tool, args, shape, maskAt } = draft
  const target = targetOf(draft, known)
  const intent = intentOf(tool, shape.kind, known, target)
  if (target !== undefined && (intent === 'read' || intent === 'fetch'))
    return { intent, target: gistText(target) }
  const isMail = intent === 'other' && known?.kind === 'network' && MAIL_TOOL.test(tool)
  const mail = isMail ? mailPartsOf(args, maskAt) : undefined
  if (mail === undefined) return { intent }
  const { recipients, subject } = mail
  const about = subject === undefined ? '' : `: ${subject}`
  return { intent: 'mail', target: gistText(`${recipients.join(', ')}${about}`) }
}

/** The path or address, where it is the only one: of several the title would say one and be silent of the others. */
function targetOf({ args, maskAt }: LayoutDraft, known: KnownTool | undefined): string | undefined {
  const pointers = known?.acting.filter((each) => valueAt(args, each) !== undefined) ?? []
  const [pointer] = pointers
  if (pointer === undefined || pointers.length > 1 || maskAt.has(pointer)) return undefined
  // What sends something does more than open an address.
  if (known?.kind === 'network' && Object.keys(args).some((key) => SENDS.test(key))) return undefined
  const target = valueAt(args, pointer)
  return typeof target === 'string' ? target : undefined
}

const SENDS = /^(?:method|body|data|json|form|payload|headers|files?)$/i

/** The catalogue says that the tool reaches others, its name that it is mail. */
const MAIL_TOOL = /mail/i

/** Up to what is no text: a list with anything else in it is none that a program can be given. */
function gistOfCommand({ args, maskAt }: LayoutDraft, { key, beside }: Shape & { kind: 'command' }): string {
  const command = args[key] as string
  if (beside === undefined) return gistText(command)
  const value = valueAt(args, beside)!
  const words = Array.isArray(value) ? value : [value]
  const texts = words.slice(
    0,
    words.findIndex((word) => typeof word !== 'string'),
  )
  const list = texts.map((word, index) => ({ value: String(word), pointer: childPointer(beside, index) }))
  const program = { value: command, pointer: childPointer('', key) }
  const shown = showWordList({ pointers: [], words: [program, ...list] }, maskAt, LONGEST_GIST)
  return `${shown.value.text} ${leftOutMark(words.length - texts.length, 'argument')}`
}

/** The first question of a call that asks a person. */
function gistOfQuestion({ tool, args, maskAt }: LayoutDraft): string | undefined {
  const pointer = '/questions/0/question'
  const isMasked = [...maskAt.keys()].some((mask) => `${pointer}/`.startsWith(`${mask}/`))
  if (tool !== QUESTION_TOOL || isMasked) return undefined
  const question = valueAt(args, pointer)
  if (typeof question !== 'string' || question.trim() === '') return undefined
  const more = Array.isArray(args.questions) ? args.questions.length - 1 : 0
  return more === 0 ? gistText(question) : `${gistText(question)} ${leftOutMark(more, 'item')}`
}

function gistText(text: string): string {
  return makeVisibleWithin(text, LONGEST_GIST).value.text
}

/** The short ones whole, then the beginning of the first long text: a query says more than how many arguments there are. */
function gistOfFields({ args, fields, blocks, words }: LayoutDraft): string {
  const own = fields.filter((field) => field.pointer !== undefined)
  const shown: string[] = []
  let room = LONGEST_GIST
  for (const { label, value } of own) {
    const text = `${label}=${value.text}`
    if (text.length > room) break
    room -= text.length
    shown.push(text)
  }
  for (const { kind, label, pointers } of blocks) {
    const value = kind === 'code' || kind === 'text' ? valueAt(args, pointers[0] ?? '') : undefined
    if (typeof value !== 'string' || room - label.length < SHORTEST_TEXT) continue
    shown.push(`${label}=${makeVisibleWithin(value, room - label.length - 1).value.text}`)
    break
  }
  const all = own.length + blocks.reduce((sum, block) => sum + block.pointers.length, 0)
  if (all > shown.length) shown.push(leftOutMark(all - shown.length, 'argument'))
  return shown.length === 0 ? words.noArguments : shown.join(', ')
}
