/** What people look back on: the history and the figures. */
import { z } from 'zod'
import { call } from './call.ts'
import { named, object, optional, strictObject, written } from './named.ts'
import { limitQuery, pageQuery } from './page.ts'
import { request } from './request.ts'
import { requestState, time, verdictKind } from './values.ts'

const text = (description: string) => z.string().min(1).max(256).describe(description).exactOptional()

const moment = (description: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be a time like 2026-08-01T09:30:00Z, or a day like 2026-08-01',
    })
    .describe(description)
    .transform((text) => Date.parse(text))

const number = (description: string) =>
  written(
    'number',
    z
      .string()
      .regex(/^-?\d{1,6}$/, 'must be a whole number')
      .describe(description)
      .transform(Number),
  ).exactOptional()

export const historyQuery = strictObject('HistoryQuery', {
  cursor: pageQuery.cursor,
  limit: limitQuery.default(50),
  verdict: verdictKind.exactOptional(),
  state: requestState.describe('Only requests in this state.').exactOptional(),
  tool: text("The tool's name, in which * stands for anything."),
  session: text('The session that made the call.'),
  by: text('Who decided or voted.'),
  rule: text('One of the rules that asked, or the one that settled it.'),
  text: text('Stands in what is shown of it: its summary, its reason or its tool.'),
  since: written('string', moment('Made then or later. A day without a time begins in UTC.')).exactOptional(),
  until: written('string', moment('Made before that.')).exactOptional(),
})

export const historyItem = named(
  'WireHistoryItem',
  z.discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('asked'), request })
      .describe(
        'People were asked. The request is brief: its arguments and the text of its rendering are left out.',
      ),
    z.object({
      kind: z.literal('settled'),
      call: z.intersection(call, z.object({ summary: z.string().describe('In a line.') })),
    }),
  ]),
)

export const history = object('WireHistory', {
  items: z.array(historyItem).describe('The call that was committed last comes first.'),
  cursor: optional(
    z.string(),
    'Where to go on. Present also where a page is short: only so many calls are looked through at a time.',
  ),
  looked: z.number().describe('How many calls were looked through for this page.'),
  back: optional(time, 'When the oldest call that was looked at was made.'),
})

export const oversightQuery = z.strictObject({
  days: number('How many days, today included: 1 to 90; 14 without it.'),
  offset: number("How many minutes the reader's day begins before that of UTC; 0 without it."),
})

const median = z.number().nullable()

export const ruleFigures = object('WireRuleFigures', {
  rule: z.string(),
  asked: z.number(),
  approved: z.number(),
  rejected: z.number(),
  expired: z.number(),
  medianMs: median,
})

export const oversight = object('WireOversight', 'Whether people are asked well.', {
  days: z.number(),
  from: time,
  to: time,
  calls: z.number(),
  cut: optional(z.literal(true), 'There are more calls in these days; only the newest were looked through.'),
  perDay: z
    .array(z.object({ day: z.string(), allowed: z.number(), denied: z.number(), asked: z.number() }))
    .describe("Every day in the range, the oldest first, by the reader's own midnight."),
  rules: z.array(ruleFigures).describe('The rules that ask, the noisiest first.'),
  states: z.partialRecord(requestState, z.number()).describe('What became of the requests.'),
  timeToDecide: z.object({
    decided: z.number(),
    medianMs: median,
    p90Ms: median,
    buckets: z
      .array(z.object({ belowMs: z.number().nullable(), count: z.number() }))
      .describe('The last has no upper bound.'),
  }),
  expiredShare: z
    .number()
    .nullable()
    .describe('Of all requests that are over: the share that expired, 0 to 1; null where there are none.'),
  quick: z
    .object({
      decisions: z.number(),
      streaks: z
        .array(z.object({ by: z.string(), count: z.number(), from: time, to: time }))
        .describe('Three or more in a row by one person, the longest first, ten at most.'),
    })
    .describe(
      'Decisions that came less than a second after there was something to decide: too fast to have been read.',
    ),
  people: z.array(z.object({ by: z.string(), decided: z.number(), approved: z.number(), medianMs: median })),
})
