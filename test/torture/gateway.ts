/** The Banksman of a case: a gateway on a SQLite file beside the framework's own state. Ana is asked; nobody else may answer. */
import { join } from 'node:path'
import { type Gateway, isBanksmanError, openGateway } from 'banksman'
import { type Answer, TOOL } from './contestant.ts'

export function openTortureGateway(folder: string, expiresIn: string | undefined): Promise<Gateway> {
  const rule = { name: 'mails', when: { tool: TOOL }, then: 'ask' as const, approvers: ['ana'] }
  return openGateway({
    store: `sqlite:${join(folder, 'banksman.db')}`,
    policy: { rules: [expiresIn === undefined ? rule : { ...rule, expiresIn }] },
    owner: 'ana',
  })
}

/** As a page would do for somebody who sees each request once: the answer is refused if it comes too late, or from the wrong person. */
export async function answerRequests(
  gateway: Gateway,
  session: string,
  answers: Record<string, Answer>,
  by: string,
): Promise<string[]> {
  const person = { subject: by, role: 'approver' as const, via: 'torture' }
  const refused: string[] = []
  for (const [callId, decision] of Object.entries(answers)) {
    const request = await gateway.find({ session, callId }, gateway.self)
    if (request === undefined) continue
    try {
      await gateway.decide(request.id, { decision, digest: request.digest }, person)
    } catch (error) {
      if (!isBanksmanError(error)) throw error
      refused.push(error.code)
    }
  }
  return refused
}

/** Until the time to answer is over. */
export async function awaitExpiry(gateway: Gateway, session: string, callId: string): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const request = await gateway.find({ session, callId }, gateway.self)
    if (request === undefined || request.state !== 'pending') return
    if (Date.now() > giveUpAt) throw new Error(`the request of ${callId} did not expire`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
