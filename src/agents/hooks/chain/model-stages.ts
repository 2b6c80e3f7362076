/** Before and after a model call. A hook that fails here ends the turn: what it should have looked at is not passed on. */

import type { ModelCall } from '../../models/model.ts'
import type { HookModelRequest, HookModelResponse } from '../hook.ts'
import type { HookChain, StopStep } from '../hook-chain.ts'
import type { AskHook, Failed } from './ask-hook.ts'
import { isSame, readShape } from './decision-shapes.ts'
import { untrusted } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'
import { createOfferedTools } from './offered-tools.ts'
import { type HookDecision, LANGUAGES, readDecision } from './read-decision.ts'
import type { ToolOwners } from './tool-owners.ts'

export interface ModelStagesParts {
  hooks: readonly MountedHook[]
  ask: AskHook
  owners: ToolOwners
  taken: (tool: string) => boolean
}

export function createModelStages(parts: ModelStagesParts): Pick<HookChain, 'beforeModel' | 'afterModel'> {
  const { hooks, ask, owners, taken } = parts
  return {
    async beforeModel(given, about) {
      // Conversations are long: without a hook that looks at them they are not copied.
      if (hooks.every(({ stages }) => stages.beforeModel === undefined))
        return { kind: 'go', request: given, added: [], changedBy: [] }
      let request = structuredClone(given)
      const offered = createOfferedTools({ session: about.session, owners, original: request.tools, taken })
      const changedBy: string[] = []
      for (const hook of hooks) {
        const put = hook.stages.beforeModel
        if (put === undefined) continue
        const finding = await ask<ChangedValue<HookModelRequest>>({
          hook,
          stage: 'beforeModel',
          about,
          put: (context) => put(structuredClone(request), context),
          read(answer) {
            const decided = readDecision(hook.name, answer, LANGUAGES.beforeModel)
            if (decided.kind !== 'change') return decided
            const read = readShape<HookModelRequest>(hook.name, decided.payload, 'request')
            if (isSame('request', read, request)) return { kind: 'continue' }
            if (!hook.trusted) throw untrusted(hook.name, 'change a request')
            const { lastWord } = given
            // After an interrupt there are no tools, also for a hook that adds its own to every request.
            const tools = lastWord === true ? [] : offered.replace(hook.name, request.tools, read.tools)
            return { kind: 'change', to: { ...read, tools, ...(lastWord === true ? { lastWord } : {}) } }
          },
        })
        const stop = stopOf(hook, finding)
        if (stop !== undefined) return stop
        if (finding.kind !== 'change') continue
        request = finding.to
        changedBy.push(hook.name)
      }
      const added = offered.added(request.tools)
      owners.remember(about.session, added)
      return { kind: 'go', request, added, changedBy }
    },

    async afterModel(given, about) {
      let response = structuredClone(given)
      const changedBy: string[] = []
      for (const hook of hooks) {
        const put = hook.stages.afterModel
        if (put === undefined) continue
        const finding = await ask<ChangedValue<HookModelResponse>>({
          hook,
          stage: 'afterModel',
          about,
          put: (context) => put(structuredClone(response), context),
          read(answer) {
            const decided = readDecision(hook.name, answer, LANGUAGES.afterModel)
            if (decided.kind !== 'change') return decided
            const read = readShape<ModelSaid>(hook.name, decided.payload, 'response')
            const said = { ...read, calls: knownCalls(read.calls, response.calls) }
            if (isSame('response', said, response)) return { kind: 'continue' }
            if (!hook.trusted) throw untrusted(hook.name, 'change a response')
            const { model, finish, usage } = response
            return { kind: 'change', to: { model, ...said, finish, usage } }
          },
        })
        const stop = stopOf(hook, finding)
        if (stop !== undefined) return stop
        if (finding.kind !== 'change') continue
        response = finding.to
        changedBy.push(hook.name)
      }
      return { kind: 'go', response, changedBy }
    },
  }
}

type ChangedValue<Value> = Exclude<HookDecision, { kind: 'change' }> | { kind: 'change'; to: Value }
type ModelSaid = Pick<HookModelResponse, 'text' | 'reasoning' | 'calls'>

/**
 * A call keeps its id, once. What has no id of ours is a new call, for which the loop makes one. What the provider wants to
 * see again stays with a call that is as the model made it.
 */
function knownCalls(given: readonly ModelCall[], shown: readonly ModelCall[]): ModelCall[] {
  const left = new Map(shown.map((call) => [call.id, call]))
  return given.map((call) => {
    const known = left.get(call.id)
    if (known === undefined) return { ...call, id: '' }
    left.delete(call.id)
    const asMade = known.tool === call.tool && known.argumentsText === call.argumentsText
    return asMade && known.provider !== undefined ? { ...call, provider: known.provider } : call
  })
}

function stopOf(
  hook: MountedHook,
  finding: ChangedValue<unknown> | Failed | { kind: 'continue' },
): StopStep | undefined {
  if (finding.kind === 'stop')
    return { kind: 'stop', hard: finding.hard, by: hook.name, reason: finding.reason }
  if (finding.kind === 'failed') return { kind: 'stop', hard: false, by: hook.name, reason: finding.reason }
  return undefined
}
