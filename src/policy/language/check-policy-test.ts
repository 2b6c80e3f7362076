/** Checks an entry of `tests:`: a call, and the verdict that it must get. */
import type { JsonObject } from '../../core/json/json.ts'
import { MODES } from '../../core/session.ts'
import {
  checkKeys,
  checkList,
  checkText,
  checkWord,
  describeValue,
  throwInvalidPolicy,
} from './block-checks.ts'
import type { PolicyTest } from './language.ts'

const TEST_KEYS = ['call', 'mode', 'at', 'verdict', 'rule'] as const
const CALL_KEYS = ['tool', 'arguments', 'session', 'agent', 'origin', 'cwd'] as const

export function checkPolicyTest(value: unknown, at: string): PolicyTest {
  const test = checkKeys(value, TEST_KEYS, 'a test', at)
  const { mode, at: moment, rule } = test
  if (moment !== undefined && (typeof moment !== 'string' || Number.isNaN(Date.parse(moment)))) {
    throwInvalidPolicy(
      `at must be a moment as in 2026-03-01T09:30:00Z; found ${JSON.stringify(moment)}`,
      `${at}/at`,
    )
  }
  return {
    call: checkCall(test.call, `${at}/call`),
    verdict: checkWord(test.verdict, ['allow', 'ask', 'deny'] as const, 'verdict', `${at}/verdict`),
    ...(mode === undefined ? {} : { mode: checkWord(mode, MODES, 'mode', `${at}/mode`) }),
    ...(moment === undefined ? {} : { at: moment as string }),
    ...(rule === undefined ? {} : { rule: checkText(rule, 'rule', `${at}/rule`) }),
  }
}

function checkCall(value: unknown, at: string): PolicyTest['call'] {
  const call = checkKeys(value, CALL_KEYS, 'the call of a test', at)
  const { arguments: args, session, agent, origin, cwd } = call
  if (args !== undefined && (typeof args !== 'object' || args === null || Array.isArray(args))) {
    throwInvalidPolicy(`arguments must be an object; found ${describeValue(args)}`, `${at}/arguments`)
  }
  return {
    tool: checkText(call.tool, 'tool', `${at}/tool`),
    ...(args === undefined ? {} : { arguments: args as JsonObject }),
    ...(session === undefined ? {} : { session: checkText(session, 'session', `${at}/session`) }),
    ...(agent === undefined ? {} : { agent: checkAgent(agent, `${at}/agent`) }),
    ...(origin === undefined ? {} : { origin: checkOrigin(origin, `${at}/origin`) }),
    ...(cwd === undefined ? {} : { cwd: checkText(cwd, 'cwd', `${at}/cwd`) }),
  }
}

function checkAgent(value: unknown, at: string): { name: string; parents?: string[] } {
  const { name, parents } = checkKeys(value, ['name', 'parents'], 'the agent of a test', at)
  return {
    name: checkText(name, 'name', `${at}/name`),
    ...(parents === undefined
      ? {}
      : {
          parents: checkList(parents, 'parents', `${at}/parents`, (entry, where) =>
            checkText(entry, 'a parent', where),
          ),
        }),
  }
}

function checkOrigin(value: unknown, at: string): { channel: string } {
  const { channel } = checkKeys(value, ['channel'], 'the origin of a test', at)
  return { channel: checkText(channel, 'channel', `${at}/channel`) }
}
