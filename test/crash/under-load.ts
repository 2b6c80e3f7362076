/** A process full of agents and people, to be killed at any moment. Arguments: database, presented file, ran file. */
import { appendFileSync } from 'node:fs'
import type { Request } from '../../src/core/request.ts'
import { agent, openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', presentedFile = '', ranFile = ''] = process.argv.slice(2)
const { gateway } = await openChildGateway({ path, presentedFile })
const run = `${process.pid}-${Date.now()}`
const AGENTS = 24
/** The parent kills this process long before; a parent that died must not leave it running. */
const MAX_CALLS = 4000

async function work(name: string): Promise<void> {
  for (let index = 0; index < MAX_CALLS; index++) {
    const call = {
      tool: 'write',
      arguments: { line: index, text: `by ${name} in ${run}` },
      callId: `${run}-${name}-${index}`,
      session: `session-${name}-${index % 7}`,
    }
    const { request } = await gateway.review(call, agent)
    tell({ opened: request!.id, digest: request!.digest })
    // One in five is left for later: pending requests must survive too.
    if (index % 5 === 4) continue
    const running = gateway.guard(call, async (args, { requestId }) => {
      const { id, progress } = await gateway.get(requestId!, agent)
      appendFileSync(ranFile, `${JSON.stringify({ id, claim: progress.claim!.id, args })}\n`)
    })
    await answer(request!, index)
    await running
  }
}

async function answer(request: Request, index: number): Promise<void> {
  const decision = index % 3 === 2 ? 'reject' : 'approve'
  const { request: decided } = await gateway.decide(
    request.id,
    { decision, digest: request.digest },
    person(index % 2 ? 'ana' : 'ben'),
  )
  tell({ decided: decided.id, decision: decided.progress.decision!.kind, by: decided.progress.decision!.by })
}

tell({ ready: true })
await Promise.all(Array.from({ length: AGENTS }, (_, index) => work(`a${index}`)))
