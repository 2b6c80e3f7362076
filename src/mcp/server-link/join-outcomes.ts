/** Outcomes that are reported in the same moment go to the Banksman server in one exchange, and into one commit there. */
import { ClientError } from '../../client/transport/client-error.ts'

/** What became of each of them, in the same order. */
export type SendOutcomes = (outcomes: unknown[], signal?: AbortSignal) => Promise<OutcomeAnswers>

export interface OutcomeAnswers {
  outcomes: { code?: string; detail?: string }[]
}

interface Waiting {
  outcome: unknown
  signal: AbortSignal | undefined
  resolve(): void
  reject(error: unknown): void
}

/** As many as the server takes. */
const MOST = 100

/** Gives the function that reports one outcome. It rejects where that one is not on the record. */
export function createJoinOutcomes(send: SendOutcomes) {
  const waiting: Waiting[] = []

  async function sendAll(): Promise<void> {
    const together = waiting.splice(0, MOST)
    if (waiting.length > 0) setImmediate(sendAll)
    try {
      // They were begun in the same moment, so what ends the wait for one ends it for all.
      const { outcomes } = await send(
        together.map(({ outcome }) => outcome),
        together[0]?.signal,
      )
      for (const [index, one] of together.entries()) {
        const answer = outcomes[index]
        if (typeof answer !== 'object') one.reject(unanswered())
        else if (answer.code === undefined) one.resolve()
        else one.reject(new ClientError({ code: answer.code, detail: answer.detail ?? answer.code }))
      }
    } catch (error) {
      for (const one of together) one.reject(error)
    }
  }

  return (outcome: unknown, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(sendAll)
      waiting.push({ outcome, signal, resolve, reject })
    })
}

function unanswered(): ClientError {
  return new ClientError({
    code: 'unexpected_answer',
    detail: 'the server said nothing of this outcome',
  })
}
