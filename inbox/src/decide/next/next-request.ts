/** Which request comes after this one in the list, for who decides one after another. */
import type { WireRequest } from '../../../../src/client/index.ts'

export interface NextRequest {
  /** The first one after this that is the reader's to decide; from the top again at the end. */
  id: string | undefined
  /** How many there are besides this one. */
  left: number
}

export function nextRequestAfter(
  current: Pick<WireRequest, 'id'>,
  pending: readonly WireRequest[],
  isPutOff: (request: WireRequest) => boolean,
): NextRequest {
  const at = pending.findIndex(({ id }) => id === current.id)
  const inOrder = [...pending.slice(at + 1), ...pending.slice(0, Math.max(0, at))]
  const wanted = inOrder.filter((request) => request.yours && !isPutOff(request))
  return { id: wanted[0]?.id, left: wanted.length }
}
