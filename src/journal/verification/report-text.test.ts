import { describe, expect, it } from 'vitest'
import { journalOf, plainSteps, writeChain } from '../../../test/fixtures/journals.ts'
import { createSigner, generateSigningKey } from '../checkpoints/checkpoint.ts'
import { trustKeys } from '../checkpoints/trusted-keys.ts'
import { genesis, nextHash } from '../entry.ts'
import { describeReport } from './report-text.ts'
import { verifyJournal } from './verify-journal.ts'

const signer = createSigner(generateSigningKey().privateKey)

describe('the report in words', () => {
  it('P10: says up to where it is proof, what later entries confirm, and what nothing confirms', async () => {
    const entries = writeChain('main', plainSteps(5))
    const head = entries.slice(0, 2).reduce((before, entry) => nextHash(before, entry.body), genesis('main'))
    const checkpoints = [signer.checkpoint('main', head, 1)]
    const report = await verifyJournal(journalOf(entries), { checkpoints, keys: trustKeys(signer.publicKey) })
    expect(describeReport(report)).toBe(
      [
        '1 chain, 5 entries, 0 requests',
        '',
        'chain "main": 5 entries',
        '  proven by a signed checkpoint: entries 1 to 2; confirmed by later entries: entries 3 to 4; not confirmed by anything yet: entry 5',
        '',
        'No problem found. Proof reaches as far as the signed checkpoints do; what comes after them only agrees with itself, and could have been cut off or rewritten by whoever can write the whole journal.',
        '',
      ].join('\n'),
    )
  })

  it('lists problems with their kind', async () => {
    const report = await verifyJournal(journalOf(writeChain('main', plainSteps(4)).toSpliced(1, 1)))
    const text = describeReport(report)
    expect(text).toContain('  ! gap: chain "main": missing: entry 2')
    expect(text).toContain('1 problem found: this is not the journal as it was written.')
  })

  it('says that an empty journal is empty', async () => {
    expect(describeReport(await verifyJournal(journalOf()))).toContain('The journal is empty.')
  })

  it('P9: shows control and bidi characters in names as escapes', async () => {
    const chain = `a\u001b[2J\u202e\u0085${'x'.repeat(200)}`
    const text = describeReport(await verifyJournal(journalOf(writeChain(chain, plainSteps(2)).slice(1))))
    expect(text).toContain('"a\\u001b[2J\\u{202e}\\u{85}xxx')
    expect(text).toContain('…(207 characters)')
    expect(text).toMatch(/^[\n\x20-\x7e…]*$/)
  })
})
