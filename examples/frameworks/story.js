// What the examples beside this file have in common: what the model wants, how a person answers, and how it has to end.
import assert from 'node:assert/strict'

/** The model reads the inbox, and then wants to send these in one step. */
export const MAILS = [
  { to: 'ana', text: 'Gladly.' },
  { to: 'ben', text: 'The money is on its way.' },
  { to: 'cleo', text: 'Friday at ten?' },
]

const ANSWERS = {
  ana: () => ({ decision: 'approve' }),
  ben: () => ({ decision: 'reject', reason: 'we have paid him already' }),
  cleo: (mail) => ({ decision: 'edit', arguments: { ...mail, text: 'Monday at ten?' } }),
}

/** A person who answers the three requests as they come. A real program has people answer in the inbox, a chat or a terminal. */
export async function answerRequests(gateway) {
  const me = { subject: 'me', role: 'approver', via: 'example' }
  const giveUpAt = Date.now() + 60_000
  for (let answered = 0; answered < MAILS.length; ) {
    const { items } = await gateway.list({ state: 'pending' }, me)
    for (const { id, digest, arguments: mail } of items) {
      const answer = ANSWERS[mail.to](mail)
      await gateway.decide(id, { ...answer, digest }, me)
      console.log(`  mail to ${mail.to}: ${answer.decision}`)
      answered += 1
    }
    assert.ok(Date.now() < giveUpAt, 'the agent asked for less than three approvals')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** One mail was sent as it was, one was changed, one wasn't sent; and the model knows. */
export function checkRun(name, sent, told) {
  const mails = sent.map(({ to, text }) => `${to}: ${text}`).sort()
  console.log(`${name}: sent ${mails.join(' ')}`)
  assert.deepEqual(mails, ['ana: Gladly.', 'cleo: Monday at ten?'])
  assert.match(told, /we have paid him already/, 'the model was not told why a mail was rejected')
  assert.match(told, /Monday at ten/, 'the model was not told that a mail was changed')
  sent.length = 0
}
