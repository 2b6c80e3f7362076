import { expect, it } from 'vitest'
import { isBanksmanError } from '../../../core/errors.ts'
import { sayInEnglish } from '../../../core/reasons/english.ts'
import type { Reason } from '../../../core/reasons/reason.ts'
import { splitPattern } from './split-pattern.ts'

it.each(['"a', "'a"])('a quote without its partner is told in the words of its reason: %s', (pattern) => {
  let error: unknown
  try {
    splitPattern(pattern)
  } catch (thrown) {
    error = thrown
  }
  if (!isBanksmanError(error, 'invalid_policy')) throw error
  expect(error.message).toBe(sayInEnglish(error.details.reason as Reason))
})
