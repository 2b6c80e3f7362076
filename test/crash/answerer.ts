/**
 * Answers every request that it is told of, against others that do the same, many at once. Arguments: store, person,
 * decision. A line in is a list of requests; a line out says how each of them went.
 */
import { createInterface } from 'node:readline'
import type { DecisionKind } from '../../src/core/decision.ts'
import { isBanksmanError } from '../../src/core/errors.ts'
import { openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', name = '', decision = 'approve'] = process.argv.slice(2)
const { gateway, store } = await openChildGateway({ path })
const actor = person(name)

async function answer({ id, digest }: { id: string; digest: string }): Promise<[id: string, winner: string]> {
  const text = decision === 'respond' ? { text: name } : {}
  try {
    const { request } = await gateway.decide(
      id,
      { decision: decision as DecisionKind, digest, ...text },
      actor,
    )
    return [id, request.progress.decision!.by]
  } catch (error) {
    const recorded = isBanksmanError(error, 'already_decided') ? error.details.decision : undefined
    if (recorded === undefined) throw error
    return [id, (recorded as { by: string }).by]
  }
}

/** A few at a time and in an order of its own, so that no process wins all because its commit came first. */
async function answerAll(requests: { id: string; digest: string }[]): Promise<[string, string][]> {
  const left = requests
    .map((request) => ({ request, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
  const answered: [string, string][] = []
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      answered.push(await answer(next.request))
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return answered
}

tell({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  tell({ answered: await answerAll(JSON.parse(line)) })
}
await gateway.close()
await store.close()
