/**
 * Compiles `when`: what must hold for a rule to apply. Conditions on commands, paths and hosts are about one part of
 * the call at a time; all others are about the call as a whole.
 */

import { pointerStep } from '../../core/json/pointer-step.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { checkEach, checkTogether } from '../../core/support/mistakes.ts'
import {
  checkList,
  checkMembers,
  checkTexts,
  describeValue,
  throwInvalidPolicy,
} from '../language/block-checks.ts'
import type { ArgumentCondition } from '../language/language.ts'
import { compileCondition, needsResolvedPath } from '../matchers/condition.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import { bothMatch, eitherMatches, type MatchResult, notMatching } from '../matchers/match-result.ts'
import { basesOf, compilePathPattern, type PathPattern } from '../matchers/path-pattern.ts'
import { compilePathsBelow, type PathsBelow } from '../matchers/paths-below.ts'
import { checkPointer, compilePointer } from '../matchers/pointer.ts'
import { compileTimeWindow } from '../matchers/time-window.ts'
import { compileWildcardMeets } from '../matchers/wildcard-meets.ts'
import { sparesDenied } from '../recursive-reads/sweep.ts'
import type { SweepPart } from '../recursive-reads/sweep-part.ts'
import { compileCommandPattern } from '../shell/patterns/command-pattern.ts'
import { isOneCommand } from '../shell/patterns/is-one-command.ts'
import { isProgramAt, programPathOf } from '../shell/patterns/program-path.ts'
import { compileStoppingPattern } from '../shell/patterns/stopping-pattern.ts'
import { spendSteps } from '../steps.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'
import { namedPlaces } from './absent-places.ts'
import {
  hostKey,
  hostMatchers,
  hosts,
  kinds,
  mayHave,
  reachedPatterns,
  reasonOfReach,
} from './compile-hosts.ts'
import type { RuleLabel } from './compile-rules.ts'
import type { CompiledWhen, Places, When } from './compiled-when.ts'
import { mayNameOthers } from './may-name-others.ts'

const KEYS = [
  'tool',
  'kind',
  'arguments',
  'command',
  'path',
  'host',
  'session',
  'agent',
  'parent',
  'subAgent',
  'origin',
  'cwd',
  'time',
  'not',
  'all',
  'any',
] as const

type WhenKey = (typeof KEYS)[number]

/** `then`: an allow of the kind `network` is about tools alone. */
export function compileWhen(
  block: unknown,
  at: string,
  places: Places,
  then: RuleLabel['kind'] = 'ask',
): CompiledWhen {
  const inner: CompiledWhen[] = []
  const pathPointers: string[] = []
  const nested = (value: unknown, pointer: string) => {
    const compiled = compileWhen(value, pointer, places, then)
    inner.push(compiled)
    return compiled.holds
  }
  const parts = { places, nested, pathPointers, isAllow: then === 'allow' }
  const checks = Object.fromEntries(
    KEYS.map((key) => [key, (value: unknown, pointer: string) => compileKey(key, value, pointer, parts)]),
  )
  const conditions = Object.values(checkMembers(block, checks, 'when', at)) as When[]
  const found = block as Partial<Record<WhenKey, unknown>>
  const keys = KEYS.filter((key) => found[key] !== undefined)
  if (keys.length === 0) {
    throwInvalidPolicy(reasonOf('wrong.when-empty', { right: '{ tool: "*" }' }), at)
  }
  const written = (key: 'path' | 'command') =>
    found[key] === undefined ? [] : checkTexts(found[key], key, `${at}/${key}`)
  const reached = reachedPatterns(found.host, found.kind, at)
  const aboutCommands = keys.includes('command') || inner.some((one) => one.aboutCommands)
  return {
    holds:
      conditions.length === 1
        ? conditions[0]!
        : (subject, part, every) => {
            let result: MatchResult = 'yes'
            for (const condition of conditions) {
              result = bothMatch(result, condition(subject, part, every))
              if (result === 'no') return 'no'
            }
            return result
          },
    key: keys.length === 1 ? ruleKey(found, at, places) : undefined,
    aboutCommands,
    aboutReach: reached.length > 0 || inner.some((one) => one.aboutReach),
    reachReason:
      reached.length === 0
        ? inner.find((one) => one.reachReason !== undefined)?.reachReason
        : reasonOfReach(reached),
    pathPointers: [...pathPointers, ...inner.flatMap((one) => one.pathPointers)],
    usesFolder: keys.includes('cwd') || inner.some((one) => one.usesFolder),
    aboutParts:
      aboutCommands || keys.includes('path') || keys.includes('host') || inner.some((one) => one.aboutParts),
    tools: found.tool === undefined ? undefined : checkTexts(found.tool, 'tool', `${at}/tool`),
    // What stands in `not` names what is not meant, and of `any` nobody knows which one held: only its own count.
    pathPatterns: written('path').map((pattern) => ({
      pattern,
      matches: compilePathPattern(pattern, places, `${at}/path`),
    })),
    commandPatterns: written('command'),
    namedPlaces: namedPlaces(written('path'), places),
    programPaths: written('command').flatMap((pattern) => programPathOf(pattern) ?? []),
    programs: found.command === undefined ? undefined : programsOf(written('command')),
  }
}

/** Of a rule about hosts or paths and nothing else. */
function ruleKey(
  { host, path }: Partial<Record<WhenKey, unknown>>,
  at: string,
  places: Places,
): CompiledWhen['key'] {
  if (host !== undefined) return hostKey(hostMatchers(host, `${at}/host`))
  if (path === undefined) return undefined
  const patterns = checkTexts(path, 'path', `${at}/path`)
  const bases = patterns.map((pattern) => basesOf(pattern, places, at))
  if (bases.includes(undefined)) return undefined
  const matchers = patterns.map((pattern) => compilePathPattern(pattern, places, at))
  const meets = patterns.map(compileWildcardMeets)
  return {
    kind: 'path',
    bases: bases.flatMap((some) => some ?? []),
    mayMeet: (word) => meets.some((one) => one(word)),
    home: places.home,
    fits: (resolved, written) => fitsOne(matchers, resolved, written, true),
    applies: () => true,
  }
}

function fitsOne(
  matchers: readonly PathPattern[],
  resolved: string | undefined,
  written: string,
  anywhere: boolean,
): MatchResult {
  return matchers.reduce<MatchResult>(
    (result, matches) => eitherMatches(result, matches(resolved, written, anywhere)),
    'no',
  )
}

/** The first words of the patterns, where all of them are plain. */
function programsOf(patterns: readonly string[]): string[] | undefined {
  const programs = patterns.map((pattern) => /^([\w.+-]+)(?= |:\*$|$)/.exec(pattern)?.[1])
  return programs.includes(undefined) ? undefined : (programs as string[])
}

interface WhenParts {
  readonly places: Places
  /** Compiles what stands in `not`, `all` or `any`. */
  nested(value: unknown, pointer: string): When
  /** Collects the arguments that have to be looked up. */
  readonly pathPointers: string[]
  readonly isAllow: boolean
}

function compileKey(
  key: WhenKey,
  value: unknown,
  at: string,
  { places, nested, pathPointers, isAllow }: WhenParts,
): When {
  switch (key) {
    case 'tool':
      return globs(value, key, at, (subject) => subject.call.tool)
    case 'session':
      return globs(value, key, at, (subject) => subject.call.session)
    case 'agent':
      return globs(value, key, at, (subject) => subject.call.agent?.name)
    case 'origin':
      return globs(value, key, at, (subject) => subject.call.origin?.channel)
    case 'parent':
      return parents(checkTexts(value, key, at).map(compileGlob))
    case 'subAgent':
      return subAgent(value, at)
    case 'kind':
      return kinds(value, at, isAllow)
    case 'arguments':
      return argumentConditions(value, at, places, pathPointers)
    case 'command':
      return commands(
        checkTexts(value, key, at).map((pattern) => checkOneCommand(pattern, at)),
        places,
      )
    case 'path':
      return paths(value, at, places)
    case 'host':
      return hosts(hostMatchers(value, at))
    case 'cwd':
      return workingFolder(value, at, places)
    case 'time': {
      const window = compileTimeWindow(value, at)
      return (subject) => window(subject.facts?.at)
    }
    case 'not': {
      const holds = nested(value, at)
      return (subject, part, every) => notMatching(holds(subject, part, !every))
    }
    case 'all':
      return fold(checkSome(value, key, at, nested), bothMatch, 'yes')
    case 'any':
      return fold(checkSome(value, key, at, nested), eitherMatches, 'no')
  }
}

/** A call that does not say has none: a rule for named agents does not hold for one without a name. */
function globs(
  value: unknown,
  key: string,
  at: string,
  read: (subject: CallSubject) => string | undefined,
): When {
  const matchers = checkTexts(value, key, at).map(compileGlob)
  return (subject) => {
    const text = read(subject)
    return text !== undefined && matchers.some((matches) => matches(text)) ? 'yes' : 'no'
  }
}

function parents(matchers: ((text: string) => boolean)[]): When {
  return ({ call }) => {
    const names = call.agent?.parents ?? []
    return names.some((name) => matchers.some((matches) => matches(name))) ? 'yes' : 'no'
  }
}

function subAgent(value: unknown, at: string): When {
  if (typeof value !== 'boolean')
    throwInvalidPolicy(reasonOf('wrong.flag', { what: 'subAgent', found: describeValue(value) }), at)
  return ({ call }) => ((call.agent?.parents ?? []).length > 0 === value ? 'yes' : 'no')
}

function argumentConditions(value: unknown, at: string, places: Places, pathPointers: string[]): When {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throwInvalidPolicy(reasonOf('wrong.arguments-map', { found: describeValue(value) }), at)
  }
  const conditions = checkEach(
    Object.entries(value).map(([pointer, block]) => () => {
      const where = at + pointerStep(pointer)
      const [holds] = checkTogether(
        () => compileCondition(block, where, places),
        () => checkPointer(pointer, where),
      )
      if (needsResolvedPath(block as ArgumentCondition)) pathPointers.push(pointer)
      return { pointer, read: compilePointer(pointer), holds }
    }),
  )
  if (conditions.length === 0) throwInvalidPolicy(reasonOf('wrong.arguments-none'), at)
  return ({ call, facts }) =>
    conditions.reduce<MatchResult>((result, { pointer, read, holds }) => {
      if (result === 'no') return 'no'
      const fact = facts?.paths
      const resolved =
        fact !== undefined && Object.hasOwn(fact, pointer) ? fact[pointer]?.resolved : undefined
      return bothMatch(result, holds(read(call.arguments), { resolved }))
    }, 'yes')
}

/** An allow is about what is written; a deny or an ask about the options however they are spelled. */
function commands(patterns: string[], { roots }: Places): When {
  const matchers = patterns.map((pattern) => ({
    allows: compileCommandPattern(pattern),
    stops: compileStoppingPattern(pattern),
    path: programPathOf(pattern),
  }))
  return (subject, given, every) => {
    const part = given?.kind === 'sweep' ? given.command : given
    if (part === undefined) return subject.entry?.kind === 'shell' ? 'unknown' : 'no'
    if (part.kind !== 'command') return 'no'
    const { command } = part
    let result: MatchResult = 'no'
    for (const { allows, stops, path } of matchers) {
      // An allow of `./gradlew` is about that file, not about whatever has the name.
      if (every && path !== undefined && !isProgramAt(command, path, subject, roots)) continue
      result = eitherMatches(result, every ? allows(command) : stops(command))
      if (result === 'yes') break
    }
    return result
  }
}

/** A pattern is about one command at a time, so one of two would never hold: as a deny it would deny nothing. */
function checkOneCommand(pattern: string, at: string): string {
  if (isOneCommand(pattern)) return pattern
  return throwInvalidPolicy(reasonOf('wrong.two-commands', { pattern: JSON.stringify(pattern) }), at)
}

function paths(value: unknown, at: string, places: Places): When {
  const patterns = checkTexts(value, 'path', at)
  const matchers = patterns.map((pattern) => compilePathPattern(pattern, places, at))
  // A name without a folder is meant outside the roots too where that is the stricter reading.
  const fits = (resolved: string | undefined, written: string, every: boolean) =>
    fitsOne(matchers, resolved, written, !every)
  const below = patterns.map((pattern) => compilePathsBelow(pattern, places, at))
  return (subject, part, every) => {
    if (part === undefined) return mayHave(subject, subject.entry?.paths)
    if (part.kind === 'sweep') return mayBeBelow(part, below) ? 'unknown' : 'no'
    if (part.kind === 'path') return fits(part.resolved, part.text, every)
    if (part.kind !== 'command') return 'no'
    // A word that is known only when the line runs may name any path, one with wildcards some of them.
    const isOpen = mayNameOthers(subject, part.command, every ? [] : patterns)
    const unknown = isOpen ? 'unknown' : undefined
    return quantified(part, every, unknown, (mention) => fits(subject.resolved(mention), mention.path, every))
  }
}

/** Whether what is read through may hold a path that one of the patterns is about, and does not leave it out. */
function mayBeBelow({ folders, sweep, namesOnly }: SweepPart, patterns: readonly PathsBelow[]): boolean {
  // Of names that are told, those count that are asked for by more than an ending or a star.
  if (namesOnly && sweep.includes.every((glob) => !/[^*?.]/.test(glob))) return false
  // An ending is that of files anywhere: it asks for those that are named by their ending, and for no folder.
  const byEnding = namesOnly && sweep.includes.every((glob) => /^[*?]*(?:\.\w+)?$/.test(glob))
  return folders.some((folder) =>
    patterns.some((below) =>
      below(folder).some(({ names, isDeep }) => !(byEnding && isDeep) && !sparesDenied(sweep, names, isDeep)),
    ),
  )
}

/** A path is compared as it is written and as it leads, in several forms. */
const COMPARISON = 10

function quantified(
  part: CommandPart,
  every: boolean,
  unknown: MatchResult | undefined,
  fits: (mention: CommandPart['mentions'][number]) => MatchResult,
): MatchResult {
  const [start, step] = every ? (['yes', bothMatch] as const) : (['no', eitherMatches] as const)
  spendSteps(COMPARISON * part.mentions.length)
  return part.mentions.reduce<MatchResult>((result, mention) => step(result, fits(mention)), unknown ?? start)
}

/** The working folder is the agent's word; where it leads is looked up like every path. */
function workingFolder(value: unknown, at: string, places: Places): When {
  const matchers = checkTexts(value, 'cwd', at).map((pattern) => compilePathPattern(pattern, places, at))
  return ({ call, facts }) => {
    if (call.cwd === undefined) return 'unknown'
    const resolved = facts?.folder
    return matchers.reduce<MatchResult>(
      (result, matches) => eitherMatches(result, matches(resolved, call.cwd!)),
      'no',
    )
  }
}

function checkSome(
  value: unknown,
  key: string,
  at: string,
  nested: (value: unknown, pointer: string) => When,
): When[] {
  const list = checkList(value, key, at, nested)
  if (list.length === 0) throwInvalidPolicy(reasonOf('wrong.empty-conditions', { what: key }), at)
  return list
}

function fold(list: When[], step: (a: MatchResult, b: MatchResult) => MatchResult, start: MatchResult): When {
  return (subject, part, every) =>
    list.reduce<MatchResult>((result, holds) => step(result, holds(subject, part, every)), start)
}
