import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../browser/fixtures/memory-storage.ts'
import { createSnoozed } from './snoozed.ts'

const NOON = Date.parse('2026-05-01T12:00:00Z')
const MINUTE = 60_000
const due = (id: string, inMs: number | null) => ({
  id,
  expiresAt: inMs === null ? null : new Date(NOON + inMs).toISOString(),
})

describe('putting one request off', () => {
  it('hides it until the moment', () => {
    const snoozed = createSnoozed(createMemoryStorage)
    const request = due('1', null)
    snoozed.snooze(request, NOON, 10 * MINUTE)
    expect(snoozed.isSnoozed(request, NOON + 10 * MINUTE - 1)).toBe(true)
    expect(snoozed.isSnoozed(request, NOON + 10 * MINUTE)).toBe(false)
    expect(snoozed.isSnoozed(due('2', null), NOON)).toBe(false)
  })

  it('never past a minute before its deadline, also when that has come nearer since', () => {
    const snoozed = createSnoozed(createMemoryStorage)
    const request = due('1', 30 * MINUTE)
    snoozed.snooze(request, NOON, 60 * MINUTE)
    expect(snoozed.isSnoozed(request, NOON + 29 * MINUTE - 1)).toBe(true)
    expect(snoozed.isSnoozed(request, NOON + 29 * MINUTE)).toBe(false)
    expect(snoozed.isSnoozed(due('1', 5 * MINUTE), NOON + 4 * MINUTE)).toBe(false)
    const late = due('2', 30_000)
    snoozed.snooze(late, NOON, 60 * MINUTE)
    expect(snoozed.isSnoozed(late, NOON)).toBe(false)
  })

  it('is kept in the browser until it is over, or taken back', () => {
    const storage = createMemoryStorage()
    const open = () => createSnoozed(() => storage)
    open().snooze(due('1', null), NOON, MINUTE)
    open().snooze(due('2', null), NOON, 10 * MINUTE)
    expect(open().isSnoozed(due('1', null), NOON)).toBe(true)
    open().snooze(due('3', null), NOON + 2 * MINUTE, MINUTE)
    expect([...open().until.value.keys()]).toEqual(['2', '3'])
    const last = open()
    last.wake('2')
    last.wake('3')
    last.wake('3')
    expect(storage.length).toBe(0)
  })
})
