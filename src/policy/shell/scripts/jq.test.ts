import { describe, expect, it } from 'vitest'
import { whyJqMayReveal } from './jq.ts'

describe('jq programs', () => {
  it.each([
    '.',
    '.a.b[] | select(.x == 1)',
    '.env',
    '.a.env.PATH',
    '.environment',
    'map(.name)',
    '@base64',
    '"\\(.a)"',
  ])('only shape their input: %s', (program) => expect(whyJqMayReveal(program)).toBeUndefined())

  it.each([
    'env',
    'env.PATH',
    '$ENV',
    '$ENV.PATH',
    '. | env',
    '"\\(env)"',
    '[env]',
    '..env',
    'import "a" as a; .',
    'include "a"; .',
    'get_search_list',
    '"a" | modulemeta',
  ])('may reveal: %s', (program) => expect(whyJqMayReveal(program)).toHaveProperty('code'))
})
