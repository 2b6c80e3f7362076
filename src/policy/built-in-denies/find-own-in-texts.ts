/** Searches every text and every key in the arguments of a call for what is ours, in every spelling. */

import { MAX_DEPTH } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { foldCase, lineSpellingsOf, spellingsOf } from '../matchers/spellings.ts'
import { MAY_CHANGE_IMPLICITLY } from '../shell/effects/implicit-changes.ts'
import type { CallSubject } from '../subject/subject.ts'
import { argumentUse } from './argument-use.ts'
import type { OwnMatchers } from './find-own-in-command.ts'
import type { LineSearch } from './find-own-in-line.ts'
import { ownDenial } from './own-denial.ts'
import { runsOwnProgram } from './runs-own-program.ts'

/** The arguments that hold the line of a shell: their pointers, and the steps to them. */
export interface LineArguments {
  readonly pointers: readonly string[]
  readonly steps: readonly (readonly string[])[]
}

export interface TextFindings {
  readonly denial: DenyVerdict | undefined
  /** There was something that looked like ours. */
  readonly triggered: boolean
  /** There is something in the line that only reading it can tell. */
  readonly worthReading: boolean
}

/** What a line names is a finding only where the line has no excuse. */
export function findOwnInTexts(
  subject: CallSubject,
  own: OwnMatchers,
  place: LineArguments | undefined,
  line: () => LineSearch,
): TextFindings {
  const search: Search = {
    subject,
    own,
    place,
    line,
    trail: [],
    visits: 0,
    rewritten: 0,
    bases: undefined,
    triggered: false,
    worthReading: false,
  }
  const found = lookInto(subject.call.arguments, '', search)
  return { denial: found, triggered: search.triggered, worthReading: search.worthReading }
}

interface Search {
  readonly subject: CallSubject
  readonly own: OwnMatchers
  readonly place: LineArguments | undefined
  readonly line: () => LineSearch
  /** The keys and indexes on the way to the value that is being looked at. */
  readonly trail: (string | number)[]
  visits: number
  rewritten: number
  /** The folders in which a relative path may be meant. Worked out when the first one is needed. */
  bases: string[] | undefined
  triggered: boolean
  worthReading: boolean
}

const UNREADABLE: DenyVerdict = {
  kind: 'deny',
  ...told(reasonOf('deny.too-large')),
  rule: 'built-in: unreadable call',
}

/** Of a command that is given as a list. Rules look at half as many; nobody writes more. */
const MAX_WORDS = 20_000

/** Words of a list that a shell would expand. Each is rewritten in every way that a shell may read it. */
const MAX_REWRITTEN = 10_000

/** No call within the size limit has more values than this. */
const MAX_VISITS = 1024 * 1024

function lookInto(value: unknown, key: string, search: Search): DenyVerdict | undefined {
  if (typeof value === 'string') return lookAtText(value, key, search)
  if (typeof value !== 'object' || value === null) return undefined
  search.visits++
  if (search.visits > MAX_VISITS || search.trail.length > MAX_DEPTH) {
    return UNREADABLE
  }
  if (Array.isArray(value)) {
    const command = lookAtWords(value, key, search)
    if (command.denial !== undefined) return command.denial
    for (let index = 0; index < value.length; index++) {
      if (command.isQuiet && isPlainText(value[index])) continue
      search.trail.push(index)
      const found = lookInto(value[index], key, search)
      if (found !== undefined) return found
      search.trail.pop()
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    search.trail.push(name)
    const found =
      lookAtText(name, '', search) ??
      lookAtPort(name, member, value, search) ??
      lookInto(member, name, search)
    if (found !== undefined) return found
    search.trail.pop()
  }
  return undefined
}

/** A command is often given as a list of words, which say nothing one by one: `["nc", "localhost", 4790]`. */
function lookAtWords(words: unknown[], key: string, search: Search): LookedAtWords {
  if (words.length < 2) return NOT_LOOKED_AT
  if (!isLine(search) && argumentUse(search.subject.call.tool, key) !== 'command') return NOT_LOOKED_AT
  if (words.length > MAX_WORDS) return { denial: UNREADABLE, isQuiet: false }
  const parts = words.filter((word) => typeof word === 'string' || typeof word === 'number')
  const before = search.triggered
  search.triggered = false
  const denial = lookAtText(parts.join(' '), key, search)
  const isQuiet = !search.triggered
  search.triggered ||= before
  return { denial, isQuiet }
}

interface LookedAtWords {
  denial: DenyVerdict | undefined
  /** Nothing in all of them together looks like ours, so nothing in one of them does, unless a shell rewrites it. */
  isQuiet: boolean
}

const NOT_LOOKED_AT: LookedAtWords = { denial: undefined, isQuiet: false }

function isPlainText(value: unknown): boolean {
  return typeof value === 'string' && !/[$`{]/.test(value)
}

/** What only reading a line can tell: wildcards, quotes with escapes in them, what lies in a folder that is removed. */
const WORTH_READING = new RegExp(`[*?[]|\\$[\\\\"]*'|${MAY_CHANGE_IMPLICITLY.source}`)

function lookAtText(text: string, key: string, search: Search): DenyVerdict | undefined {
  const inLine = isLine(search)
  const spellings = spellingsOf(text)
  if (inLine) {
    const rewritten = lineSpellingsOf(text)
    if (rewritten.length > 0 && ++search.rewritten > MAX_REWRITTEN) return UNREADABLE
    spellings.push(...rewritten)
  }
  for (const spelling of spellings) {
    const triggered = search.own.trigger.test(spelling)
    search.triggered ||= triggered
    if (inLine) search.worthReading ||= triggered || WORTH_READING.test(spelling)
    const found = triggered ? lookCloser(spelling, key, inLine, search) : undefined
    if (found !== undefined && !(inLine && search.line().excused())) return found
  }
  return undefined
}

function lookCloser(text: string, key: string, inLine: boolean, search: Search): DenyVerdict | undefined {
  const { paths, addresses, program } = search.own
  const { call, entry } = search.subject
  const kind = inLine ? 'command' : argumentUse(call.tool, key)
  const isProse =
    kind === 'note' ||
    (kind === 'other' && search.own.isProse === true && !/^\s*(?:[[{/~\\]|[a-z]:[\\/])/.test(text))
  const isContent = kind === 'note' && search.own.isProse === true && entry?.kind === 'edit'
  if (isContent || (isProse && /\s/.test(text.trim()))) return undefined
  const path = paths.namedIn(text, basesOf(search), entry?.kind === 'read')
  if (path !== undefined)
    return ownDenial('own files', reasonOf('own.names-at', { pointer: pointerOf(search), path }))
  if (addresses.namedIn(text))
    return ownDenial('own address', reasonOf('own.address-at', { pointer: pointerOf(search) }))
  if (kind === 'command' && runsOwnProgram(text, program))
    return ownDenial('own program', reasonOf('own.program-at', { pointer: pointerOf(search), program }))
  return undefined
}

/** A port by itself, beside a host of ours or none at all. */
function lookAtPort(name: string, value: unknown, around: object, search: Search): DenyVerdict | undefined {
  const { addresses } = search.own
  if (!addresses.isPort(value) || !/port/i.test(name)) return undefined
  const hosts = Object.entries(around).filter(
    (entry): entry is [string, string] =>
      /host|addr|server|ip$/i.test(entry[0]) && typeof entry[1] === 'string',
  )
  const named = hosts.length > 0 ? hosts.map(([, host]) => host) : ['localhost']
  if (!named.some((host) => addresses.isHost(host, value))) return undefined
  return ownDenial('own address', reasonOf('own.port-at', { pointer: pointerOf(search) }))
}

/** Whether the value that is being looked at is the line, or a part of it. */
function isLine({ trail, place }: Search): boolean {
  if (place === undefined) return false
  return place.steps.some(
    (steps) =>
      trail.length >= steps.length && steps.every((step, at) => step === '*' || step === String(trail[at])),
  )
}

/** The working folder, and every absolute path in the arguments: a tool may take one of them as its root. */
function basesOf(search: Search): string[] {
  if (search.bases !== undefined) return search.bases
  const { call, facts } = search.subject
  const bases = new Set<string>()
  for (const folder of [call.cwd, facts?.folder])
    if (folder !== undefined) bases.add(foldCase(folder).replaceAll('\\', '/'))
  const pending: unknown[] = [call.arguments]
  for (let looked = 0; pending.length > 0 && bases.size < MAX_BASES && looked < MAX_LOOKS; looked++) {
    const value = pending.pop()
    if (typeof value === 'string' && /^(?:\/|[a-z]:[/\\])\S+$/i.test(value)) {
      bases.add(foldCase(value).replaceAll('\\', '/'))
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value).slice(0, MAX_BASES)) pending.push(member)
    }
  }
  search.bases = [...bases]
  return search.bases
}

const MAX_BASES = 16
const MAX_LOOKS = 1000

function pointerOf(search: Search): string {
  return shortenPointer(search.trail.map(pointerStep).join(''))
}

export function shortenPointer(pointer: string): string {
  return pointer.length > 200 ? `${pointer.slice(0, 200).toWellFormed()}…` : pointer
}
