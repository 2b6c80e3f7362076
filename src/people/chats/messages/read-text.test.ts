import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { readText } from './read-text.ts'

const YES = ['y', 'yes', 'approve', '是', '批准', '同意']

it.each([...YES, 'Y', ' Yes. ', 'APPROVE!'])('P5: %j approves', (text) => {
  expect(readText(text)).toEqual({ kind: 'approve' })
})

it.each([
  ['n', undefined],
  ['No.', undefined],
  ['拒绝', undefined],
  ['n, wrong cluster', 'wrong cluster'],
  ['reject: use staging', 'use staging'],
  ['否 用测试环境', '用测试环境'],
  ['no\nlater', 'later'],
])('%j rejects', (text, reason) => {
  expect(readText(text)).toEqual({ kind: 'reject', ...(reason === undefined ? {} : { reason }) })
})

it.each([
  'ok',
  'yes please',
  'y?',
  'approve it',
  '好的',
  '可以',
  'sure',
  '',
  'go ahead',
  '是吗？',
  '👍',
  'y y',
  'x'.repeat(5000),
])('P5: %j is no answer', (text) => {
  expect(readText(text)).toEqual({ kind: 'unclear' })
})

it('anything else is a reason, as a reply', () => {
  expect(readText('not on a Friday')).toEqual({ kind: 'reason', reason: 'not on a Friday' })
  expect(readText('nothing of that kind')).toEqual({ kind: 'reason', reason: 'nothing of that kind' })
  expect(readText('yesterday it failed')).toEqual({ kind: 'reason', reason: 'yesterday it failed' })
})

it('P5: only one of the few words, alone, ever approves', () => {
  const near = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.tuple(fc.constantFrom(...YES, 'n', 'no'), fc.string({ maxLength: 4 })).map((parts) => parts.join('')),
    fc.tuple(fc.string({ maxLength: 2 }), fc.constantFrom(...YES)).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(near, (text) => {
      if (readText(text).kind !== 'approve') return
      const word = text
        .normalize('NFC')
        .trim()
        .toLowerCase()
        .replace(/[.。!！]$/u, '')
      expect(YES).toContain(word)
    }),
    { numRuns: runs(500) },
  )
})
