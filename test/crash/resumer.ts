/** Resumes every session of a file, against others that do the same. Arguments: database, person, decision, sessions. */
import { isBanksmanError } from '../../src/core/errors.ts'
import type { PendingInSession } from '../../src/gateway/deciding/pending-in-session.ts'
import { openChildGateway, person, tell } from './child-gateway.ts'

const [path = '', name = '', decision = 'approve', sessions = '0'] = process.argv.slice(2)
const { gateway, store } = await openChildGateway({ path })
const actor = person(name)
const found: PendingInSession[] = []
for (let index = 0; index < Number(sessions); index++) {
  found.push((await gateway.waiting(`race-${index}`, actor))!)
}
tell({ ready: true })
// All start together: the parent says when.
await new Promise((resolve) => process.stdin.once('data', resolve))
for (const { session, actionId, items } of found) {
  const decisions = items.map(({ callId }) => ({ callId, decision }))
  try {
    await gateway.resume(session, { actionId, decisions }, actor)
    tell({ id: session, by: name, won: true })
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    const recorded = error.details.decisions as { decision: { by: string } }[] | undefined
    const winners = new Set(recorded?.map((each) => each.decision.by))
    tell({ id: session, by: name, won: false, code: error.code, winner: [...winners].join() })
  }
}
await gateway.close()
await store.close()
process.stdin.destroy()
