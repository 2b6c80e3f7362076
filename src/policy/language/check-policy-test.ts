/** Checks an entry of `tests:`: a call, and the verdict that it must get. */

import type { JsonObject } from '../../core/json/json.ts'
import type { ReasonValue } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { MODES } from '../../core/session.ts'
import { checkTogether } from '../../core/support/mistakes.ts'
import {
  checkList,
  checkMembers,
  checkText,
  checkWord,
  describeValue,
  throwInvalidPolicy,
} from './block-checks.ts'
import type { PolicyTest } from './language.ts'

export function checkPolicyTest(value: unknown, at: string): PolicyTest {
  const { call, verdict, ...rest } = checkMembers(
    value,
    {
      call: checkCall,
      mode: (given, pointer) => checkWord(given, MODES, 'mode', pointer),
      at: checkMoment,
      verdict: checkVerdict,
      rule: textOf('rule'),
    },
    reasonOf('what.test'),
    at,
  )
  const [found, expected] = checkTogether(
    () => call ?? checkCall(call, `${at}/call`),
    () => verdict ?? checkVerdict(verdict, `${at}/verdict`),
  )
  return { call: found, verdict: expected, ...rest }
}

function checkVerdict(value: unknown, at: string): PolicyTest['verdict'] {
  return checkWord(value, ['allow', 'ask', 'deny'] as const, 'verdict', at)
}

function checkMoment(value: unknown, at: string): string {
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return value
  return throwInvalidPolicy(reasonOf('wrong.moment', { found: JSON.stringify(value) }), at)
}

function textOf(what: ReasonValue): (given: unknown, at: string) => string {
  return (given, at) => checkText(given, what, at)
}

function checkCall(value: unknown, at: string): PolicyTest['call'] {
  const { tool, ...rest } = checkMembers(
    value,
    {
      tool: textOf('tool'),
      arguments: checkArguments,
      session: textOf('session'),
      agent: checkAgent,
      origin: checkOrigin,
      cwd: textOf('cwd'),
    },
    reasonOf('what.test-call'),
    at,
  )
  return { tool: tool ?? checkText(tool, 'tool', `${at}/tool`), ...rest }
}

function checkArguments(value: unknown, at: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return throwInvalidPolicy(reasonOf('wrong.arguments', { found: describeValue(value) }), at)
}

function checkAgent(value: unknown, at: string): { name: string; parents?: string[] } {
  const { name, ...rest } = checkMembers(
    value,
    {
      name: textOf('name'),
      parents: (given, pointer) => checkList(given, 'parents', pointer, textOf(reasonOf('what.parent'))),
    },
    reasonOf('what.test-agent'),
    at,
  )
  return { name: name ?? checkText(name, 'name', `${at}/name`), ...rest }
}

function checkOrigin(value: unknown, at: string): { channel: string } {
  const { channel } = checkMembers(value, { channel: textOf('channel') }, reasonOf('what.test-origin'), at)
  return { channel: channel ?? checkText(channel, 'channel', `${at}/channel`) }
}
