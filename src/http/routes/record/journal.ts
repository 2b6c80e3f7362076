/** The journal, for people: reading it, verifying it, and taking a copy that can be verified elsewhere (P10). */
import { z } from 'zod'
import { BanksmanError } from '../../../core/errors.ts'
import type { Actor } from '../../../core/session.ts'
import type { Validity } from '../../../gateway/access/token-validity.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as journalWire from '../../../wire/journal.ts'
import * as pageWire from '../../../wire/page.ts'
import { credentialNotValid } from '../../access/authentication.ts'
import { journalEntryToWire } from '../../to-wire/records-to-wire.ts'
import { json, type Route, route } from '../route.ts'

const ENTRIES = { default: 200, most: 1000 } as const
const number = (description: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .describe(description)
    .transform(Number)

export interface JournalParts {
  verifyJournal?: (actor: Actor) => Promise<unknown>
  /** Lines without their ends. */
  exportJournal?: (actor: Actor) => AsyncIterable<string>
}

export function journalRoutes({
  gateway,
  verifyJournal,
  exportJournal,
}: JournalParts & { gateway: Gateway }): Route[] {
  const chains = async (actor: Actor) => ({ items: await gateway.history.chains(actor) })
  const routes = [
    route('GET /v1/journal', {
      summary: 'The entries of one chain, in order. Without a chain, the chains.',
      access: 'people',
      query: z.strictObject({
        chain: z.string().exactOptional(),
        after: number('The number of the last entry that was read.').exactOptional(),
        limit: number(
          `How many at most, up to ${ENTRIES.most}; ${ENTRIES.default} without it.`,
        ).exactOptional(),
      }),
      answers: [
        {
          status: 200,
          description: 'A page of entries; its cursor is the next `after`.',
          schema: z.union([pageWire.pageOf(journalWire.journalEntry), pageWire.pageOf(journalWire.chain)]),
        },
      ],
      async answer({ caller, query }) {
        if (query.chain === undefined) return chains(caller.actor)
        const limit = Math.max(1, Math.min(query.limit ?? ENTRIES.default, ENTRIES.most))
        const entries = await gateway.history.entries(query.chain, query.after ?? 0, limit, caller.actor)
        if (entries.length === 0) await checkChain(gateway, query.chain, caller.actor)
        const last = entries.length === limit ? entries.at(-1) : undefined
        const items = entries.map(journalEntryToWire)
        return { items, ...(last === undefined ? {} : { cursor: String(last.n) }) }
      },
    }),
    route('GET /v1/journal/chains', {
      summary: 'The chains of the journal, and how long each is.',
      access: 'people',
      answers: [json('The chains.', pageWire.pageOf(journalWire.chain))],
      answer: ({ caller }) => chains(caller.actor),
    }),
  ]
  if (verifyJournal !== undefined) {
    routes.push(
      route('GET /v1/journal/verify', {
        summary: 'Verify the journal, and say up to where it is proof.',
        access: 'people',
        answers: [json('The report.', journalWire.journalReport)],
        answer: async ({ caller }) => (await verifyJournal(caller.actor)) as object,
      }),
    )
  }
  if (exportJournal !== undefined) {
    routes.push(
      route('GET /v1/journal/export', {
        summary: 'The whole journal, one entry a line.',
        access: 'people',
        answers: [{ status: 200, description: 'The journal.', mediaType: 'application/x-ndjson' }],
        answer({ c, caller }) {
          const headers = { 'content-type': 'application/x-ndjson' }
          return c.body(linesOf(exportJournal(caller.actor), caller.follow()), 200, headers)
        },
      }),
    )
  }
  return routes
}

async function checkChain(gateway: Gateway, chain: string, actor: Actor): Promise<void> {
  const chains = await gateway.history.chains(actor)
  if (chains.some((known) => known.chain === chain)) return
  throw new BanksmanError('unknown_id', `there is no chain ${JSON.stringify(chain)}; see /v1/journal/chains`)
}

/**
 * Read as it is taken, so that an export of any length needs the memory of one line. It breaks off when the credential is
 * no longer valid.
 */
function linesOf(lines: AsyncIterable<string>, { over, release }: Validity): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = lines[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (over.aborted) {
          await iterator.return?.()
          throw credentialNotValid()
        }
        if (done) {
          release()
          controller.close()
        } else controller.enqueue(encoder.encode(`${value}\n`))
      },
      async cancel() {
        release()
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
