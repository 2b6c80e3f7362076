/** After a tool call. A hook that fails here withholds the result, since it may have been there to keep something out of it. */
import { defined } from '../../../core/defined.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { GivenResult, HookResult } from '../hook.ts'
import type { HookChain, StoredResult } from '../hook-chain.ts'
import type { AskHook } from './ask-hook.ts'
import { readShape } from './decision-shapes.ts'
import { untrusted } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'
import { type HookDecision, LANGUAGES, readDecision } from './read-decision.ts'
import { storeResult } from './store-result.ts'

export interface ResultStageParts {
  hooks: readonly MountedHook[]
  ask: AskHook
  shelf: MediaStore
}

type ResultFinding = Exclude<HookDecision, { kind: 'change' }> | { kind: 'change'; to: StoredResult }

export function createResultStage({ hooks, ask, shelf }: ResultStageParts): HookChain['afterTool'] {
  return async (given, about) => {
    const { session } = about
    let shown = structuredClone(given)
    const changedBy: string[] = []
    for (const hook of hooks) {
      const put = hook.stages.afterTool
      if (put === undefined) continue
      const by = hook.name
      const finding = await ask<ResultFinding>({
        hook,
        stage: 'afterTool',
        about,
        put: (context) => put(structuredClone(shown), context),
        async read(answer) {
          const decided = readDecision(by, answer, LANGUAGES.afterTool)
          if (decided.kind !== 'change') return decided
          const result = readShape<GivenResult>(by, decided.payload, 'result')
          if (isSameResult(result, shown)) return { kind: 'continue' }
          if (!hook.trusted) throw untrusted(by, 'change a result')
          const known = shown.media ?? []
          return { kind: 'change', to: await storeResult(result, { hook: by, session, shelf, known }) }
        },
      })
      if (finding.kind === 'stop') return { ...finding, by }
      if (finding.kind === 'failed') return { kind: 'withhold', by, reason: finding.reason }
      if (finding.kind !== 'change') continue
      const { callId, tool, arguments: args, durationMs } = shown
      shown = { callId, tool, arguments: args, durationMs, isError: false, ...finding.to }
      changedBy.push(by)
    }
    return { kind: 'go', result: resultOf(shown), changedBy }
  }
}

function resultOf({ text, isError, forUser, media, handled }: HookResult): StoredResult {
  return {
    text,
    isError,
    ...defined({ forUser }),
    ...(media === undefined || media.length === 0 ? {} : { media }),
    ...defined({ handled }),
  }
}

/** What is absent in one and empty or false in the other is the same. */
function isSameResult(given: GivenResult, shown: HookResult): boolean {
  const items = given.media ?? []
  const known = shown.media ?? []
  return (
    given.text === shown.text &&
    (given.isError ?? false) === shown.isError &&
    (given.forUser ?? '') === (shown.forUser ?? '') &&
    (given.handled ?? false) === (shown.handled ?? false) &&
    items.length === known.length &&
    items.every((item, index) => 'id' in item && item.id === known[index]?.id)
  )
}
