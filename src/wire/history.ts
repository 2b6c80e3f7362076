/** What people look back on: the history, the figures and the list of sessions. The types are those of `wire/types/history.ts`. */
import { z } from 'zod'
import * as answers from './answers.ts'
import { limitQuery, pageQuery } from './page.ts'
import type { WireHistory, WireHistoryItem, WireOversight, WireSessionRow } from './types/history.ts'
import { requestState, time, verdictKind } from './values.ts'

const named = (description: string) => z.string().min(1).max(256).describe(description).exactOptional()

const moment = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a time like 2026-08-01T09:30:00Z, or a day like 2026-08-01',
    })
    .describe(description)
    .transform((text) => Date.parse(text))
    .exactOptional()

const number = (description: string) =>
  z
    .string()
    .regex(/^-?\d{1,6}$/, 'must be a whole number')
    .describe(description)
    .transform(Number)
    .exactOptional()

export const historyQuery = z.strictObject({
  cursor: pageQuery.cursor,
  limit: limitQuery.default(50),
  verdict: verdictKind.exactOptional(),
  state: requestState.describe('Only requests in this state.').exactOptional(),
  tool: named("The tool's name, in which * stands for anything."),
  session: named('The session that made the call.'),
  by: named('Who decided or voted.'),
  rule: named('One of the rules that asked, or the one that settled it.'),
  text: named('Stands in what is shown of it: its summary, its reason or its tool.'),
  since: moment('Made then or later. A day without a time begins in UTC.'),
  until: moment('Made before that.'),
})

const historyItem: z.ZodType<WireHistoryItem> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asked'), request: answers.request }),
  z.object({
    kind: z.literal('settled'),
    call: z.intersection(answers.call, z.object({ summary: z.string() })),
  }),
])

export const history: z.ZodType<WireHistory> = z.object({
  items: z.array(historyItem),
  cursor: z.string().exactOptional().describe('Where to go on, also where a page is short.'),
  looked: z.number().describe('How many calls were looked through for this page.'),
  back: time.exactOptional().describe('When the oldest call that was looked at was made.'),
})

export const oversightQuery = z.strictObject({
  days: number('How many days, today included: 1 to 90; 14 without it.'),
  offset: number("How many minutes the reader's day begins before that of UTC; 0 without it."),
})

const median = z.number().nullable()

export const oversight: z.ZodType<WireOversight> = z.object({
  days: z.number(),
  from: time,
  to: time,
  calls: z.number(),
  cut: z
    .literal(true)
    .exactOptional()
    .describe('There are more calls in these days; only the newest were looked through.'),
  perDay: z.array(z.object({ day: z.string(), allowed: z.number(), denied: z.number(), asked: z.number() })),
  rules: z.array(
    z.object({
      rule: z.string(),
      asked: z.number(),
      approved: z.number(),
      rejected: z.number(),
      expired: z.number(),
      medianMs: median,
    }),
  ),
  states: z.partialRecord(requestState, z.number()) as z.ZodType<WireOversight['states']>,
  timeToDecide: z.object({
    decided: z.number(),
    medianMs: median,
    p90Ms: median,
    buckets: z.array(z.object({ belowMs: z.number().nullable(), count: z.number() })),
  }),
  expiredShare: z.number().nullable().describe('Of the requests that are over, from 0 to 1.'),
  quick: z
    .object({
      decisions: z.number(),
      streaks: z.array(z.object({ by: z.string(), count: z.number(), from: time, to: time })),
    })
    .describe('Decisions that came too fast to have been read.'),
  people: z.array(z.object({ by: z.string(), decided: z.number(), approved: z.number(), medianMs: median })),
})

export const sessionsQuery = z.strictObject({
  ...pageQuery,
  mine: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .exactOptional()
    .describe('Only those that the reader began.'),
})

export const sessionRow: z.ZodType<WireSessionRow> = z.intersection(
  answers.session,
  z.object({
    title: z.string().exactOptional().describe('How a conversation with our agent began, in a line.'),
    lastAt: time.describe('Something last happened.'),
  }),
)
