import { describe, expect, it } from 'vitest'
import { createMemoryStorage } from '../browser/fixtures/memory-storage.ts'
import { areHours, createDoNotDisturb, isQuiet, quietEnd } from './do-not-disturb.ts'

const NIGHT = { from: '22:00', to: '07:00', zone: 'Asia/Shanghai' }
const at = (text: string) => Date.parse(text)

describe('quiet', () => {
  it('is in the quiet hours, and until the moment that was named', () => {
    expect(isQuiet({}, at('2026-01-10T15:00:00Z'))).toBe(false)
    expect(isQuiet({ hours: NIGHT }, at('2026-01-10T13:59:00Z'))).toBe(false)
    expect(isQuiet({ hours: NIGHT }, at('2026-01-10T14:00:00Z'))).toBe(true)
    const snoozedUntil = at('2026-01-10T12:00:00Z')
    expect(isQuiet({ snoozedUntil }, snoozedUntil - 1)).toBe(true)
    expect(isQuiet({ snoozedUntil }, snoozedUntil)).toBe(false)
  })

  it('ends with the later of the two', () => {
    const now = at('2026-01-10T14:30:00Z')
    const morning = at('2026-01-10T23:00:00Z')
    expect(quietEnd({ hours: NIGHT }, now)).toBe(morning)
    expect(quietEnd({ hours: NIGHT, snoozedUntil: morning + 5 }, now)).toBe(morning + 5)
    expect(quietEnd({ snoozedUntil: now - 5 }, now)).toBe(now)
  })

  it('is kept in the browser, and forgotten there', () => {
    const storage = createMemoryStorage()
    const quiet = createDoNotDisturb(() => storage)
    quiet.setHours(NIGHT)
    quiet.snooze(5)
    expect(createDoNotDisturb(() => storage).settings.value).toEqual({ hours: NIGHT, snoozedUntil: 5 })
    quiet.setHours(undefined)
    quiet.wake()
    expect(quiet.settings.value).toEqual({})
    expect(storage.length).toBe(0)
  })

  it.each([
    'null',
    '7',
    '{"hours":{"from":"late","to":"07:00","zone":"UTC"}}',
    '{"hours":{"from":"22:00","to":"07:00","zone":"Mars/Olympus"}}',
    '{"hours":{"from":"22:00","to":"22:00","zone":"UTC"}}',
    '{"snoozedUntil":"for ever"}',
    '{',
  ])('nothing that was kept can silence it in a form that is not understood: %s', (text) => {
    const storage = createMemoryStorage()
    storage.setItem('banksman.quiet', text)
    expect(createDoNotDisturb(() => storage).settings.value).toEqual({})
  })

  it('takes only hours that the server would take', () => {
    expect(areHours(NIGHT)).toBe(true)
    expect(areHours({ ...NIGHT, to: '22:00' })).toBe(false)
    expect(areHours({ ...NIGHT, from: '' })).toBe(false)
    expect(areHours({ ...NIGHT, zone: 'nowhere' })).toBe(false)
  })
})
