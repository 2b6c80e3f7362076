/**
 * Whether a time lies in a window such as 09:00 to 17:00 from Monday to Friday in Berlin. The clock on the wall there
 * decides, so that summer time needs no rule of its own. A window that goes past midnight belongs to the day on
 * which it began: `days: [fri]` with 22:00 to 06:00 still holds on Saturday at 03:00.
 */

import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import {
  checkKeys,
  checkList,
  checkText,
  describeValue,
  throwInvalidPolicy,
  unknownWord,
  withNear,
} from '../language/block-checks.ts'
import type { TimeWindow } from '../language/language.ts'
import type { MatchResult } from './match-result.ts'

type Day = NonNullable<TimeWindow['days']>[number]

const DAYS: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const WORDS: readonly string[] = DAYS
const KEYS = ['from', 'to', 'days', 'zone'] as const
const MINUTES_A_DAY = 24 * 60
/** Beyond these there is no date (ECMAScript, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15

/** The window holds from its start up to, and without, its end. Without a time nothing can be said. */
export function compileTimeWindow(block: unknown, at: string): (atMs: number | undefined) => MatchResult {
  const found = checkKeys(block, KEYS, reasonOf('what.time-window'), at)
  const from = found.from === undefined ? undefined : minuteOf(found.from, 'from', `${at}/from`)
  const to = found.to === undefined ? undefined : minuteOf(found.to, 'to', `${at}/to`)
  const days = found.days === undefined ? undefined : checkDays(found.days, `${at}/days`)
  if (from === undefined && to === undefined && days === undefined) {
    throwInvalidPolicy(reasonOf('wrong.window-always'), at)
  }
  const start = from ?? 0
  const end = to ?? MINUTES_A_DAY
  if (start === end) {
    throwInvalidPolicy(reasonOf('wrong.window-same'), at)
  }
  const clock = clockIn(found.zone, `${at}/zone`)
  const isOn = (day: number) => days === undefined || days.has(day)

  return (atMs) => {
    if (atMs === undefined || !(Math.abs(atMs) <= MAX_TIME_MS)) return 'unknown'
    const { day, minute } = clock(atMs)
    const yesterday = (day + 6) % 7
    const holds =
      start < end
        ? isOn(day) && minute >= start && minute < end
        : (isOn(day) && minute >= start) || (isOn(yesterday) && minute < end)
    return holds ? 'yes' : 'no'
  }
}

function minuteOf(value: unknown, key: 'from' | 'to', at: string): number {
  if (typeof value !== 'string')
    throwInvalidPolicy(reasonOf('wrong.time', { what: key, found: describeValue(value) }), at)
  const [, hour, minute] = /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(value) ?? []
  if (hour !== undefined) return Number(hour) * 60 + Number(minute)
  if (value === '24:00' && key === 'to') return MINUTES_A_DAY
  return throwInvalidPolicy(
    reasonOf('wrong.time', { what: key, found: JSON.stringify(value.slice(0, 20).toWellFormed()) }),
    at,
  )
}

function checkDays(value: unknown, at: string): Set<number> {
  const days = checkList(value, 'days', at, (entry, where) => {
    const word = checkText(entry, reasonOf('what.day-name'), where)
    const day = WORDS.indexOf(word)
    if (day !== -1) return day
    const meant = DAYS.find((known) => word.toLowerCase().startsWith(known))
    if (meant === undefined)
      unknownWord(reasonOf('what.day'), word, DAYS, where, reasonOf('what.time-window'))
    return throwInvalidPolicy(withNear(reasonOf('wrong.day', { word: JSON.stringify(word) }), meant), where, {
      allowed: DAYS,
      suggestion: meant,
    })
  })
  if (days.length === 0) throwInvalidPolicy(reasonOf('wrong.days-empty'), at)
  return new Set(days)
}

function clockIn(value: unknown, at: string): (atMs: number) => { day: number; minute: number } {
  const zone = value === undefined ? 'UTC' : checkText(value, 'zone', at)
  const format = formatIn(zone)
  if (format === undefined) {
    const suggestion = nearestWord(zone, Intl.supportedValuesOf('timeZone'))
    const why = reasonOf('wrong.zone', { zone: JSON.stringify(zone.slice(0, 100).toWellFormed()) })
    throwInvalidPolicy(
      suggestion === undefined ? why : withNear(why, suggestion),
      at,
      suggestion === undefined ? {} : { suggestion },
    )
  }
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value: text }) => [type, text]))
    const day = WORDS.indexOf(parts.weekday?.toLowerCase() ?? '')
    return { day, minute: Number(parts.hour) * 60 + Number(parts.minute) }
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    })
  } catch {
    return undefined
  }
}
