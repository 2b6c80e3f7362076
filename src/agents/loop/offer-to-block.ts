/**
 * After three rejected variants of one call the person is offered to reject the kind. It is a question like any other: it waits
 * where people are, outlives a restart, and nobody has to answer it. Accepting it ends the turn.
 */

import type { Answers } from '../../core/decision.ts'
import type { EngineCall } from '../sessions/engine.ts'
import type { TurnState } from './turn-state.ts'

const TAKE = 'Reject this kind for this session / 本次会话拒绝此类'
const LEAVE = 'Go on deciding one by one / 继续逐个决定'

/** Who has taken it; undefined when they go on deciding, or when nobody answered. */
export async function offerToBlock(
  { turn }: TurnState,
  callId: string,
  shape: string,
): Promise<string | undefined> {
  const call: EngineCall = {
    tool: 'ask_user_question',
    arguments: {
      questions: [
        {
          id: 'bar',
          header: 'Again?',
          question: `You have rejected three calls of the kind "${shape}". Do you want to reject this kind for the rest of the session? It ends the turn. / 您已拒绝三次 "${shape}"。本次会话中一律拒绝此类并结束本轮？`,
          options: [{ label: TAKE }, { label: LEAVE }],
        },
      ],
    },
    callId: `${callId}.bar`,
  }
  const result = await turn.guard(call, () => {
    throw new Error('a question has nothing to run')
  })
  turn.stop.throwIfAborted()
  return result.kind === 'answered' && hasTaken(result.answers) ? result.by : undefined
}

function hasTaken(answers: Answers | undefined): boolean {
  return answers?.bar?.choices?.includes(TAKE) === true
}
