/** After a tool call. A hook that fails here withholds the result, since it may have been there to keep something out of it. */
import { defined } from '../../../core/defined.ts'
import type { MediaShelf } from '../../media/media-shelf.ts'
import type { GivenResult, HookResult } from '../hook.ts'
import type { HookChain, ShelvedResult } from '../hook-chain.ts'
import type { Ask } from './ask.ts'
import { readShape } from './decision-shapes.ts'
import { untrusted } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'
import { type Decided, LANGUAGES, readDecision } from './read-decision.ts'
import { shelveResult } from './shelve-result.ts'

export interface ResultStageParts {
  hooks: readonly MountedHook[]
  ask: Ask
  shelf: MediaShelf
}

type ResultFinding = Exclude<Decided, { kind: 'change' }> | { kind: 'change'; to: ShelvedResult }

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
          return { kind: 'change', to: await shelveResult(result, { hook: by, session, shelf, known }) }
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

function resultOf({ text, isError, forUser, media, handled }: HookResult): ShelvedResult {
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
