import { describe, expect, it } from 'vitest'
import { journalOf, kindsOf, writeChain } from '../../test/fixtures/journals.ts'
import type { Entry } from './entry.ts'
import { describeReport } from './verification/report-text.ts'
import { verifyJournal } from './verification/verify-journal.ts'

describe('bodies', () => {
  const entry = writeChain('main', [{ type: 'request.opened', about: { request: 'r', version: 1 } }])[0]!
  const bad: [string, Partial<Entry>][] = [
    ['is not canonical JSON', { body: '{' }],
    ['is not canonical JSON', { body: '{"a":"\\ud800"}' }],
    ['is not an object', { body: '[]' }],
    ['is JSON, but not in its canonical form', { body: `${entry.body} ` }],
    ['is JSON, but not in its canonical form', { body: entry.body.replace('{', '{"at":1,') }],
    ['has a version of the format', { body: entry.body.replace('"v":1', '"v":2') }],
    ['has no time', { body: entry.body.replace('1000', '"now"') }],
    ['says another type', { type: 'request.decided' }],
    ['says another request', { request: 'q' }],
    ['says another version', { version: 2 }],
    [
      'does not name the request',
      {
        body: '{"at":1,"prev":null,"type":"request.opened","v":1}',
        request: undefined!,
        version: undefined!,
      },
    ],
    ['has a `prev` that is neither', { body: entry.body.replace('null', '{"n":0}') }],
  ]
  it.each(bad)('P10: a bad body is found: it %s', async (words, change) => {
    const report = await verifyJournal(journalOf([{ ...entry, ...change }]))
    expect(kindsOf(report)).toContain('bad_body')
    expect(describeReport(report)).toContain(words)
  })
})
