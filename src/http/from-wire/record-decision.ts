/** A decision that came over a connection, by a route or by the socket: the same way for both. */
import type { DecisionInput } from '../../core/decision.ts'
import { parseDuration } from '../../core/time/duration.ts'
import type { Gateway } from '../../gateway/gateway-verbs.ts'
import type { WireDecided } from '../../wire/types/answers.ts'
import type { WireDecisionInput } from '../../wire/types/request.ts'
import type { Extent } from '../to-wire/render-request.ts'
import { requestToWire, type Viewer } from '../to-wire/request-to-wire.ts'

export async function recordDecision(
  gateway: Gateway,
  id: string,
  input: WireDecisionInput,
  reader: Viewer,
  extent: Extent,
): Promise<WireDecided> {
  await checkVisible(gateway, id, reader)
  const { request, decided, repeated } = await gateway.decide(id, fromWire(input), reader.actor)
  return { request: await requestToWire(gateway, request, reader, extent), decided, repeated }
}

/** An agent is not told "you may not" of what it may not even see (P6). */
export async function checkVisible(gateway: Gateway, id: string, { actor }: Viewer): Promise<void> {
  if (actor.role === 'agent') await gateway.get(id, actor)
}

function fromWire({ grant, ...input }: WireDecisionInput): DecisionInput {
  if (grant === undefined) return input
  const { expiresIn, ...terms } = grant
  return {
    ...input,
    grant: { ...terms, ...(expiresIn === undefined ? {} : { expiresInMs: parseDuration(expiresIn) }) },
  }
}
