import { expect, it } from 'vitest'
import { isResumed } from './resumed.ts'

it('isResumed finds the request of this very call, and its response in the last message', () => {
  const content = [{ type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }]
  const asked = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content },
  ]
  const response = {
    role: 'tool',
    content: [{ type: 'tool-approval-response', approvalId: 'a1', approved: true }],
  }
  expect(isResumed([...asked, response], 'c1')).toBe(true)
  expect(isResumed([...asked, response], 'c2')).toBe(false)
  expect(isResumed(asked, 'c1')).toBe(false)
  expect(isResumed([...asked, response, { role: 'user', content: 'more' }], 'c1')).toBe(false)
  expect(isResumed(undefined, 'c1')).toBe(false)
})
