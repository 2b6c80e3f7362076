import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../core/call.ts'
import { compilePolicy } from '../../policy/index.ts'
import { DEFAULT_PET_POLICY } from './pet-policy.ts'

const policy = compilePolicy(DEFAULT_PET_POLICY)
const verdict = (tool: string, args: Record<string, string> = {}) =>
  policy.evaluate(prepareCall({ tool, arguments: args, callId: 'c', session: 's' })).kind

describe('the policy of a pet channel for which nobody wrote one', () => {
  it.each(['exec', 'write_file', 'edit_file', 'append_file', 'subagent', 'spawn'])(
    'P5: asks about %s',
    (tool) => {
      expect(verdict(tool, { command: 'ls', path: 'a.txt' })).toBe('ask')
    },
  )

  it.each(['fetch_url', 'made_up', 'read_mail', 'ask_user_question', 'Bash'])(
    'P5: asks about %s too',
    (tool) => {
      expect(verdict(tool, { url: 'https://example.com', command: 'ls' })).toBe('ask')
    },
  )

  it.each(['read_file', 'list_dir', 'search_files'])('lets %s look', (tool) => {
    expect(verdict(tool, { path: 'a.txt' })).toBe('allow')
  })
})
