/** Decides every pending request of a file, against others that do the same. Arguments: database, person, decision, quorum. */
import type { DecisionKind } from '../../src/core/decision.ts'
import { isBanksmanError } from '../../src/core/errors.ts'
import { openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', name = '', decision = 'approve', quorum = '1'] = process.argv.slice(2)
const { gateway, store } = await openChildGateway({ path, quorum: Number(quorum) })
const actor = person(name)
const { items } = await store.list({ state: 'pending' })
tell({ ready: true })
// All start together: the parent says when.
await new Promise((resolve) => process.stdin.once('data', resolve))
for (const { id, digest } of items) {
  const input = {
    decision: decision as DecisionKind,
    digest,
    ...(decision === 'respond' ? { text: name } : {}),
  }
  try {
    const { decided, repeated, request } = await gateway.decide(id, input, actor)
    tell({ id, by: name, won: decided && !repeated, decided, state: request.state })
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    const recorded = error.details.decision as { by: string } | undefined
    tell({ id, by: name, won: false, code: error.code, winner: recorded?.by })
  }
}
await gateway.close()
await store.close()
process.stdin.destroy()
