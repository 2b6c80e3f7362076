/**
 * The part that shows a request is larger than the list, and is not needed before one is opened: it is fetched then, at the
 * same time as the request itself.
 */
import { createLatePart, useLatePart } from '../components/late-part.ts'

const requestCard = createLatePart(async () => (await import('./request-card.tsx')).RequestCard)

export const useRequestCard = () => useLatePart(requestCard)
