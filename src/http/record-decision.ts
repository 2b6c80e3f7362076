/** A decision that came over a connection, by a route or by the socket: the same way for both. */
import type { DecisionInput } from '../core/decision.ts'
import { parseDuration } from '../core/duration.ts'
import type { WireDecided, WireDecisionInput } from '../core/wire.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { type Extent, type Reader, toWire } from './to-wire.ts'

export async function recordDecision(
  gateway: Gateway,
  id: string,
  input: WireDecisionInput,
  reader: Reader,
  extent: Extent,
): Promise<WireDecided> {
  await checkVisible(gateway, id, reader)
  const { request, decided, repeated } = await gateway.decide(id, fromWire(input), reader.actor)
  return { request: await toWire(gateway, request, reader, extent), decided, repeated }
}

/** An agent is not told "you may not" of what it may not even see (P6). */
export async function checkVisible(gateway: Gateway, id: string, { actor }: Reader): Promise<void> {
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
