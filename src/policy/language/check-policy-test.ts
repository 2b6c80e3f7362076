/** Checks an entry of `tests:`: a call, and the verdict that it must get. */
import type { JsonObject } from '../../core/json/json.ts'
import { MODES } from '../../core/session.ts'
import {
  checkList,
  checkMembers,
  checkText,
  checkWord,
  describeValue,
  throwInvalidPolicy,
} from './block-checks.ts'
import type { PolicyTest } from './language.ts'
import { checkTogether } from './mistakes.ts'

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
    'a test',
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
  return throwInvalidPolicy(
    `at must be a moment as in 2026-03-01T09:30:00Z; found ${JSON.stringify(value)}`,
    at,
  )
}

function textOf(what: string): (given: unknown, at: string) => string {
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
    'the call of a test',
    at,
  )
  return { tool: tool ?? checkText(tool, 'tool', `${at}/tool`), ...rest }
}

function checkArguments(value: unknown, at: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  return throwInvalidPolicy(`arguments must be an object; found ${describeValue(value)}`, at)
}

function checkAgent(value: unknown, at: string): { name: string; parents?: string[] } {
  const { name, ...rest } = checkMembers(
    value,
    {
      name: textOf('name'),
      parents: (given, pointer) => checkList(given, 'parents', pointer, textOf('a parent')),
    },
    'the agent of a test',
    at,
  )
  return { name: name ?? checkText(name, 'name', `${at}/name`), ...rest }
}

function checkOrigin(value: unknown, at: string): { channel: string } {
  const { channel } = checkMembers(value, { channel: textOf('channel') }, 'the origin of a test', at)
  return { channel: channel ?? checkText(channel, 'channel', `${at}/channel`) }
}
