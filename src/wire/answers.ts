/** What goes out when a request is decided or cancelled, live, and when something goes wrong. */
import { z } from 'zod'
import { named, object } from './named.ts'
import { decisionParts, request } from './request.ts'
import { errorCode, jsonObject, time } from './values.ts'

export const decided = object('WireDecided', { request, decided: z.boolean(), repeated: z.boolean() })

export const cancelled = object('WireCancelled', {
  request,
  recorded: z
    .boolean()
    .describe('False: it has taken effect, and the record follows when the store can be reached.'),
})

export const revealed = object('WireRevealed', { arguments: jsonObject })

export const entry = object('WireEntry', {
  type: z.string(),
  at: time,
  body: jsonObject.describe("The members of the entry's body that are meant for reading."),
})

export const event = named(
  'WireEvent',
  z.discriminatedUnion('type', [
    z
      .object({ type: z.literal('request'), cursor: z.string(), request })
      .describe('A request was opened or changed; it comes whole.'),
    z
      .object({ type: z.literal('entry'), cursor: z.string(), entry })
      .describe('Something else was recorded: a call that was allowed or denied, a session that ended, …'),
    z
      .object({ type: z.literal('reset'), cursor: z.string() })
      .describe("What lies between can't be shown: list again."),
  ]),
)

export const problem = named(
  'WireProblem',
  z.looseObject({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    code: errorCode,
    detail: z.string(),
  }),
)

export const health = z.object({ status: z.literal('ok'), version: z.string() })

export const emptyBody = z.strictObject({})

export const emptyAnswer = z.object({})

export const helloCommand = z.strictObject({
  type: z.literal('hello'),
  token: z.string().min(1).max(512),
  after: z.string().min(1).max(1024).exactOptional(),
})

export const decideCommand = z.strictObject({
  type: z.literal('decide'),
  ref: z.string().max(256),
  id: z.string(),
  ...decisionParts,
})

export const socketResult = named(
  'WireSocketResult',
  z
    .union([
      z.object({ type: z.literal('result'), ref: z.string(), ...decided.shape }),
      z.object({ type: z.literal('result'), ref: z.string().nullable(), problem }),
    ])
    .describe('What the server sends on the socket besides events: the answer to the command with this ref.'),
)

const streamRef = z.string().min(1).max(64)

export const carrierHello = z.strictObject({
  type: z.literal('hello'),
  token: z.string().min(1).max(512),
})

export const carrierCommand = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('open'),
    ref: streamRef,
    path: z.string().min(1).max(4096),
    after: z.string().min(1).max(1024).exactOptional(),
    language: z.string().min(1).max(64).exactOptional(),
  }),
  z.strictObject({ type: z.literal('close'), ref: streamRef }),
])

export const carrierFrame = named(
  'WireCarrierFrame',
  z
    .discriminatedUnion('type', [
      z
        .object({
          type: z.literal('answer'),
          ref: z.string(),
          status: z.number(),
          contentType: z.string(),
          text: z.string().exactOptional(),
        })
        .describe(
          'How the stream was answered. `text` is the whole answer where it is no stream: a problem.',
        ),
      z
        .object({ type: z.literal('text'), ref: z.string(), text: z.string() })
        .describe('The next piece of the stream, as server-sent events.'),
      z.object({ type: z.literal('end'), ref: z.string() }).describe('The stream has ended.'),
    ])
    .describe('What the server sends on a socket that carries streams.'),
)
