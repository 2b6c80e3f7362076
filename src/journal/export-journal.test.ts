import { describe, expect, it } from 'vitest'
import { journalOf, plainSteps, writeChain } from '../../test/fixtures/journals.ts'
import { exportJournal, readExport } from './export-journal.ts'
import { verifyJournal } from './verification/verify-journal.ts'

const first = writeChain('first', plainSteps(7), 2)
const second = writeChain('second', [
  { type: 'chain.opened', members: { after: [{ chain: 'first', n: 7 }] } },
  {
    type: 'request.opened',
    about: { request: 'r', version: 1 },
    members: { text: 'two\nlines, \u2028 and "quotes"' },
  },
])

async function exported(): Promise<string[]> {
  const lines: string[] = []
  for await (const line of exportJournal(journalOf(first, second))) lines.push(line)
  return lines
}

describe('an export', () => {
  it('P10: gives the same report offline as the journal itself', async () => {
    const lines = await exported()
    expect(lines).toHaveLength(1 + 7 + 2)
    expect(lines.every((line) => !line.includes('\n'))).toBe(true)
    const offline = await verifyJournal(readExport(lines))
    expect(offline).toEqual(await verifyJournal(journalOf(first, second)))
    expect(offline.ok).toBe(true)
  })

  it('P10: that was cut off at any line is found', async () => {
    const lines = await exported()
    for (let kept = 1; kept < lines.length; kept++) {
      const report = await verifyJournal(readExport(lines.slice(0, kept)))
      expect(report.ok).toBe(false)
    }
  })

  it('P10: with a changed, moved, doubled or removed line is found', async () => {
    const lines = await exported()
    const change = lines.with(5, lines[5]!.replace('index', 'other'))
    const move = lines.with(4, lines[5]!).with(5, lines[4]!)
    const double = lines.toSpliced(4, 0, lines[4]!)
    const remove = lines.toSpliced(4, 1)
    for (const tampered of [change, move, double, remove]) {
      expect((await verifyJournal(readExport(tampered))).ok).toBe(false)
    }
  })

  it('P10: with an entry that its first line does not know of is refused', async () => {
    const lines = await exported()
    const longer = writeChain('first', plainSteps(8), 2)[7]
    const stray = writeChain('stray', plainSteps(1))[0]
    for (const entry of [longer, stray]) {
      const tampered = readExport([...lines, JSON.stringify(entry)])
      await expect(verifyJournal(tampered)).rejects.toThrow('line 11: the first line does not know of it')
    }
  })

  it('says which line is not what it should be', async () => {
    const lines = await exported()
    const bad: [string[], string][] = [
      [[], 'the export is empty'],
      [['{"v":1}'], 'export, line 1: this is no export of a journal'],
      [['{"v":2,"format":"banksman journal","chains":[]}'], 'export, line 1: this is no export of a journal'],
      [
        ['{"v":1,"format":"banksman journal","chains":[null]}'],
        'export, line 1: a chain should be {chain, last}',
      ],
      [
        ['{"v":1,"format":"banksman journal","chains":[{"chain":"a","last":1},{"chain":"a","last":1}]}'],
        'the chain "a" is listed twice',
      ],
      [lines.with(3, lines[3]!.slice(0, -9)), 'export, line 4: it is not JSON'],
      [lines.with(3, '[]'), 'export, line 4: it is not an object'],
      [lines.with(3, '{}'), 'export, line 4: an entry should have the texts'],
      [
        lines.with(3, lines[3]!.replace(/"n":\d+/, '"n":0')),
        'export, line 4: an entry should have its number',
      ],
      [lines.with(3, lines[3]!.replace('{', '{"more":1,')), 'export, line 4: unknown member "more"'],
    ]
    for (const [tampered, message] of bad) {
      await expect(verifyJournal(readExport(tampered))).rejects.toThrow(message)
    }
  })
})
