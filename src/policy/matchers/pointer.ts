/**
 * JSON pointers (RFC 6901) into a call's arguments. Only a value's own members are looked at, because the steps are
 * matched against names that an agent chose. In the catalogue of tools a step `*` stands for every item of a list
 * or every member of an object; there is no way of writing a member that is called `*`.
 */

import type { JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { describeValue, MAX_TEXT, shortenWord, throwInvalidPolicy } from '../language/block-checks.ts'

export interface FoundValue {
  /** Where it is, with every `*` replaced by the step that was taken. */
  pointer: string
  value: JsonValue
}

/** The values at a pointer that `checkPointer` took: none where there is nothing, one where it has no `*`. */
export function valuesAt(value: JsonValue, pointer: string): FoundValue[] {
  let found: FoundValue[] = [{ pointer: '', value }]
  for (const step of stepsOf(pointer)) {
    found = step === '*' ? found.flatMap(members) : found.flatMap((one) => member(one, step))
  }
  return found
}

/** Reads one value, without any `*`: for rules, which read on every call. */
export function compilePointer(pointer: string): (value: JsonValue) => JsonValue | undefined {
  const steps = stepsOf(pointer)
  return (value) => {
    let inner: JsonValue | undefined = value
    for (const step of steps) {
      if (inner === undefined) return undefined
      inner = own(inner, step)
    }
    return inner
  }
}

export interface PointerOptions {
  /** Whether a step may be `*`. */
  star?: boolean
}

export function checkPointer(value: unknown, at: string, options: PointerOptions = {}): string {
  if (typeof value !== 'string') {
    throwInvalidPolicy(reasonOf('wrong.pointer', { found: describeValue(value) }), at)
  }
  const written = { pointer: JSON.stringify(shortenWord(value)) }
  if (value.length > MAX_TEXT) {
    throwInvalidPolicy(
      reasonOf('wrong.pointer-long', { ...written, length: value.length, limit: MAX_TEXT }),
      at,
    )
  }
  if (!value.isWellFormed()) {
    throwInvalidPolicy(reasonOf('wrong.pointer-surrogate', written), at)
  }
  if (value === '') {
    throwInvalidPolicy(reasonOf('wrong.pointer-empty'), at)
  }
  if (!value.startsWith('/')) {
    const suggestion = asPointer(value)
    throwInvalidPolicy(
      reasonOf('wrong.pointer-slash', { right: suggestion, pointer: shortenWord(value) }),
      at,
      {
        suggestion,
      },
    )
  }
  if (/~(?![01])/.test(value)) {
    throwInvalidPolicy(reasonOf('wrong.pointer-tilde', written), at)
  }
  if (value.endsWith('/')) {
    throwInvalidPolicy(reasonOf('wrong.pointer-end', written), at, {
      suggestion: value.replace(/(?<!\/)\/+$/, ''),
    })
  }
  if (options.star !== true && stepsOf(value).includes('*')) {
    throwInvalidPolicy(reasonOf('wrong.pointer-star', written), at)
  }
  return value
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function members({ pointer, value }: FoundValue): FoundValue[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([key, inner]) => ({ pointer: pointer + pointerStep(key), value: inner }))
}

function member({ pointer, value }: FoundValue, step: string): FoundValue[] {
  const inner = own(value, step)
  return inner === undefined ? [] : [{ pointer: pointer + pointerStep(step), value: inner }]
}

function own(value: JsonValue, step: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  // A list has a `length` of its own, and `01` is no index.
  if (Array.isArray(value) && !/^(?:0|[1-9][0-9]*)$/.test(step)) return undefined
  return (value as Record<string, JsonValue>)[step]
}

/** What someone probably meant who wrote `a.b[0]`, `$.a.b[0]`, `#/a/b/0` or `a/b/0`. */
function asPointer(text: string): string {
  const path = shortenWord(text)
    .replace(/^[$#]/, '')
    .replaceAll(/\[['"]?([^\][]*?)['"]?\]/g, '/$1')
  return `/${path.replaceAll('.', '/').replace(/^\/+/, '')}`
}
