/**
 * What people decided before on calls like this one: the same call, the same kind of call, or at least the same tool.
 * It is told as it was, so that a habit can be seen; nothing is decided by it.
 */
import { type CallContent, contentOf, definitionDigest } from '../../core/call.ts'
import type { GrantMatch } from '../../core/grants/grant.ts'
import { type Request, type RequestState, shownDigest } from '../../core/request.ts'
import type { PastCall, Store } from '../../stores/store.ts'
import { createPastMatcher } from '../grants/past-matcher.ts'
import type { Judge } from '../judging/judge.ts'

export interface EarlierDecision {
  likeness: Likeness
  request: Request
}

/** The most alike first. */
const LIKENESSES = ['same', 'alike', 'tool'] as const

export type Likeness = (typeof LIKENESSES)[number]

export interface EarlierDecisions {
  /** To be told of calls of the past, the newest first. */
  see(call: PastCall): Promise<void>
  list(): Promise<EarlierDecision[]>
}

const MOST_SHOWN = 10
/** Of those that have no more in common than the tool a few tell enough. */
const MOST_OF_TOOL = 3
/** Some that were cancelled were never decided, which is seen only when they are read: so a few more are kept. */
const MOST_KEPT = 2 * MOST_SHOWN
/** Somebody waits for this. */
const MAX_LOOKED_UP = 100

/** The states that a decision may have led to. */
const DECIDED: readonly RequestState[] = [
  'approved',
  'running',
  'unknown',
  'done',
  'lapsed',
  'cancelled',
  'rejected',
  'answered',
  'declined',
  'terminated',
]

/** `alike` is what calls of the same kind have in common; without it none are. */
export function gatherEarlierDecisions(
  { judge, store }: { judge: Pick<Judge, 'policy' | 'gatherFacts'>; store: Pick<Store, 'get'> },
  request: Request,
  { content, alike }: { content: CallContent | undefined; alike: GrantMatch | undefined },
): EarlierDecisions {
  const kept: Record<Likeness, string[]> = { same: [], alike: [], tool: [] }
  const isMatch = createPastMatcher(judge, definitionDigest(content?.definition), MAX_LOOKED_UP)

  async function isAlike(call: PastCall): Promise<boolean> {
    if (alike === undefined || call.bytes === '' || kept.alike.length >= MOST_KEPT) return false
    return isMatch(alike, call, contentOf(call.bytes))
  }

  return {
    async see(call) {
      const asked = call.request
      if (asked === undefined || asked.id === request.id || call.tool !== request.tool) return
      if (!DECIDED.includes(asked.state)) return
      const likeness =
        call.digest === shownDigest(request) ? 'same' : (await isAlike(call)) ? 'alike' : 'tool'
      if (kept[likeness].length < MOST_KEPT) kept[likeness].push(asked.id)
    },
    async list() {
      const shown: EarlierDecision[] = []
      for (const likeness of LIKENESSES) {
        const most = likeness === 'tool' ? shown.length + MOST_OF_TOOL : MOST_SHOWN
        for (const id of kept[likeness]) {
          if (shown.length >= Math.min(most, MOST_SHOWN)) break
          const found = await store.get(id)
          if (found?.progress.decision !== undefined) shown.push({ likeness, request: found })
        }
      }
      return shown
    },
  }
}
