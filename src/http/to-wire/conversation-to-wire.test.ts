import { expect, it } from 'vitest'
import type { TurnEntry } from '../../core/conversation.ts'
import { turnEntry } from '../../wire/conversation.ts'
import { turnEntryToWire } from './conversation-to-wire.ts'

const about = { turn: 't1', at: 1_700_000_000_000 }
const reader = { locale: 'en', knownTool: () => ({ isKnown: false, acting: [] }) } as const

it.each<TurnEntry>([
  { kind: 'begun', ...about, text: 'hello', by: 'ana', origin: { channel: 'inbox' }, agent: 'reviewer' },
  { kind: 'note', ...about, engine: 'loop', data: { transcript: 'x' } },
])('the API describes every member of an entry: $kind', (entry) => {
  const wire = turnEntryToWire(entry, reader)
  // What the description doesn't know is left out by it.
  expect(turnEntry.parse(wire)).toEqual(wire)
  expect(Object.keys(wire).sort()).toEqual(Object.keys(entry).sort())
})
