import { expect, it } from 'vitest'
import { createServerLink } from './server-link.ts'

it('says which call could not be given back, and that this is what failed', async () => {
  const notes: string[] = []
  const aborting = new AbortController()
  const link = createServerLink({
    name: 'files',
    program: ['files'],
    note: (text) => notes.push(text),
    exchange: {
      url: 'http://127.0.0.1:1',
      async json() {
        aborting.abort()
        throw new Error('nobody is there')
      },
    },
  })
  const call = { tool: 'mcp__files__read', arguments: {}, session: 's', callId: 'mcp-1' }
  await link.guard.hold(call, { signal: aborting.signal })
  expect(notes).toEqual(['giving back call mcp-1 failed: nobody is there'])
})
