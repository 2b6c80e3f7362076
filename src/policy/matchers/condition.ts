/**
 * Conditions on one value of a call's arguments. A value that is not there fits no comparison. A value of another type
 * than the comparison is about is `unknown`: tools differ in whether "200" counts as 200 or ["a"] as "a", so it
 * neither satisfies an allow nor rules out a deny.
 */

import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonValue, MAX_DEPTH } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonIn } from '../../core/reasons/reasoned-error.ts'
import { compileRegex } from '../../core/regex/regex.ts'
import {
  checkList,
  checkMembers,
  checkText,
  checkTexts,
  describeValue,
  throwInvalidPolicy,
} from '../language/block-checks.ts'
import type { ArgumentCondition } from '../language/language.ts'
import { compileGlob } from './globs/glob.ts'
import { compileHostPattern } from './host.ts'
import { bothMatch, eitherMatches, type MatchResult, notMatching } from './match-result.ts'
import { compilePathPattern, type PatternPlaces } from './path-pattern.ts'

export interface ConditionContext {
  /** Where the value leads if it is a path, with every link followed; undefined where nobody has looked. */
  resolved?: string | undefined
}

export type CompiledCondition = (value: JsonValue | undefined, context: ConditionContext) => MatchResult

type ConditionKey = keyof ArgumentCondition

const KEYS = [
  'equals',
  'oneOf',
  'glob',
  'regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'path',
  'host',
  'not',
  'all',
  'any',
] as const satisfies readonly ConditionKey[]

/** Deeper than anyone writes; far from where recursion could overflow the stack. */
const MAX_NESTING = 30

/** `at` is the JSON pointer of the block in the policy. */
export function compileCondition(block: unknown, at: string, places: PatternPlaces): CompiledCondition {
  return compileAtDepth(block, at, places, 0)
}

/** Whether it must be looked up where the value leads. The block is one that `compileCondition` took. */
export function needsResolvedPath(block: ArgumentCondition): boolean {
  const inner = [...(block.not === undefined ? [] : [block.not]), ...(block.all ?? []), ...(block.any ?? [])]
  return block.path !== undefined || inner.some(needsResolvedPath)
}

function compileAtDepth(block: unknown, at: string, places: PatternPlaces, depth: number): CompiledCondition {
  if (depth > MAX_NESTING) throwInvalidPolicy(reasonOf('wrong.nesting', { limit: MAX_NESTING }), at)
  if (typeof block !== 'object' || block === null || Array.isArray(block)) {
    const meant = block === null || block === undefined ? '{ exists: true }' : meantBy(block)
    throwInvalidPolicy(reasonOf('wrong.condition', { right: meant, found: describeValue(block) }), at)
  }
  const nested = (value: unknown, pointer: string) => compileAtDepth(value, pointer, places, depth + 1)
  const checks = Object.fromEntries(
    KEYS.map((key) => [
      key,
      (value: unknown, pointer: string) => compileKey(key, value, pointer, places, nested),
    ]),
  )
  const conditions = Object.values(
    checkMembers(block, checks, reasonOf('what.condition'), at),
  ) as CompiledCondition[]
  if (conditions.length === 0) {
    throwInvalidPolicy(reasonOf('wrong.condition-empty', { right: '{ exists: true }' }), at)
  }
  return allOf(conditions)
}

function meantBy(block: unknown): string {
  if (Array.isArray(block)) return '{ oneOf: […] }'
  return typeof block === 'string' && block.length > 40
    ? '{ equals: … }'
    : `{ equals: ${JSON.stringify(block)?.toWellFormed() ?? '…'} }`
}

function compileKey(
  key: ConditionKey,
  value: unknown,
  at: string,
  places: PatternPlaces,
  nested: (value: unknown, pointer: string) => CompiledCondition,
): CompiledCondition {
  switch (key) {
    case 'equals': {
      const expected = checkJson(value, key, at)
      return present((given) => sameAs(given, expected))
    }
    case 'oneOf': {
      const choices = checkSome(value, key, at, (entry, where) => checkJson(entry, key, where))
      return present((given) =>
        choices.reduce<MatchResult>((holds, choice) => eitherMatches(holds, sameAs(given, choice)), 'no'),
      )
    }
    case 'glob': {
      const matchers = checkTexts(value, key, at).map(compileGlob)
      return text((given) => (matchers.some((matches) => matches(given)) ? 'yes' : 'no'))
    }
    case 'regex': {
      const finds = compileRegexAt(checkText(value, key, at), at)
      return text((given) => (finds(given) ? 'yes' : 'no'))
    }
    case 'gt':
      return compared(value, key, at, (given, bound) => given > bound)
    case 'gte':
      return compared(value, key, at, (given, bound) => given >= bound)
    case 'lt':
      return compared(value, key, at, (given, bound) => given < bound)
    case 'lte':
      return compared(value, key, at, (given, bound) => given <= bound)
    case 'exists':
      if (typeof value !== 'boolean')
        throwInvalidPolicy(reasonOf('wrong.flag', { what: 'exists', found: describeValue(value) }), at)
      return (given) => ((given !== undefined) === value ? 'yes' : 'no')
    case 'path': {
      const matchers = eachAt(value, key, at).map(([one, where]) => compilePathPattern(one, places, where))
      return text((given, { resolved }) =>
        matchers.reduce<MatchResult>(
          (holds, matches) => eitherMatches(holds, matches(resolved, given)),
          'no',
        ),
      )
    }
    case 'host': {
      const matchers = eachAt(value, key, at).map(([one, where]) => compileHostPattern(one, where))
      return text((given) =>
        matchers.reduce<MatchResult>((holds, matches) => eitherMatches(holds, matches(given)), 'no'),
      )
    }
    case 'not': {
      const inner = nested(value, at)
      return (given, context) => notMatching(inner(given, context))
    }
    case 'all':
      return allOf(checkSome(value, key, at, nested))
    case 'any': {
      const some = checkSome(value, key, at, nested)
      return (given, context) =>
        some.reduce<MatchResult>(
          (holds, one) => (holds === 'yes' ? holds : eitherMatches(holds, one(given, context))),
          'no',
        )
    }
  }
}

function checkJson(value: unknown, key: string, at: string): JsonValue {
  try {
    return parseJson(canonicalize(value, { at, depth: MAX_DEPTH / 2, maxLength: MAX_JSON }))
  } catch (error) {
    const why = error instanceof BanksmanError ? error.message : reasonOf('wrong.not-json')
    return throwInvalidPolicy(reasonOf('wrong.json', { what: key, why }), at)
  }
}

const MAX_JSON = 10_000

function checkSome<T>(
  value: unknown,
  key: string,
  at: string,
  item: (entry: unknown, pointer: string) => T,
): T[] {
  const list = checkList(value, key, at, item)
  if (list.length === 0) throwInvalidPolicy(reasonOf('wrong.empty-values', { what: key }), at)
  return list
}

function eachAt(value: unknown, key: string, at: string): [text: string, pointer: string][] {
  const texts = checkTexts(value, key, at)
  return texts.map((one, index) => [one, Array.isArray(value) ? `${at}/${index}` : at])
}

function compileRegexAt(source: string, at: string): (text: string) => boolean {
  try {
    return compileRegex(source)
  } catch (error) {
    return throwInvalidPolicy(
      (error instanceof BanksmanError ? reasonIn(error.details) : undefined) ?? reasonOf('regex.unclear'),
      at,
    )
  }
}

function allOf(conditions: readonly CompiledCondition[]): CompiledCondition {
  const [first] = conditions
  if (conditions.length === 1 && first !== undefined) return first
  return (given, context) => {
    let holds: MatchResult = 'yes'
    for (const condition of conditions) {
      holds = bothMatch(holds, condition(given, context))
      if (holds === 'no') return 'no'
    }
    return holds
  }
}

function present(holds: (given: JsonValue) => MatchResult): CompiledCondition {
  return (given) => (given === undefined ? 'no' : holds(given))
}

function text(holds: (given: string, context: ConditionContext) => MatchResult): CompiledCondition {
  return (given, context) =>
    given === undefined ? 'no' : typeof given === 'string' ? holds(given, context) : 'unknown'
}

function compared(
  value: unknown,
  key: string,
  at: string,
  holds: (given: number, bound: number) => boolean,
): CompiledCondition {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    const found = typeof value === 'number' ? String(value) : describeValue(value)
    const quoted = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    throwInvalidPolicy(reasonOf(quoted ? 'wrong.number-quoted' : 'wrong.number', { what: key, found }), at)
  }
  return (given) => {
    if (given === undefined) return 'no'
    if (typeof given !== 'number' || Number.isNaN(given)) return 'unknown'
    return holds(given, value) ? 'yes' : 'no'
  }
}

/** `null` is a value like no other; any other two types may be one and the same to a tool. */
function sameAs(given: JsonValue, expected: JsonValue): MatchResult {
  if (given === expected) return 'yes'
  if (given === null || expected === null) return 'no'
  if (Array.isArray(given) && Array.isArray(expected)) {
    if (given.length !== expected.length) return 'no'
    return expected.reduce<MatchResult>(
      (holds, one, index) => bothMatch(holds, sameAs(given[index]!, one)),
      'yes',
    )
  }
  if (Array.isArray(given) || Array.isArray(expected) || typeof given !== typeof expected) return 'unknown'
  if (typeof given !== 'object' || typeof expected !== 'object') return 'no'
  const keys = Object.keys(expected)
  if (Object.keys(given).length !== keys.length) return 'no'
  return keys.reduce<MatchResult>(
    (holds, key) => bothMatch(holds, Object.hasOwn(given, key) ? sameAs(given[key]!, expected[key]!) : 'no'),
    'yes',
  )
}
