/**
 * Before a tool call, and in its place. A hook that fails here denies the call, unless it may be passed over; then policy
 * and people decide on what the others left of it.
 */

import { canonicalize, type JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { GivenResult, HookCall, HookContext } from '../hook.ts'
import type { HookChain, ProvidedStep, StoredResult, ToolStep } from '../hook-chain.ts'
import type { AskHook } from './ask-hook.ts'
import { isSame, readShape } from './decision-shapes.ts'
import { failed, quote, untrusted } from './hook-failure.ts'
import type { MountedHook } from './mounted-hooks.ts'
import { type HookDecision, LANGUAGES, readApproval, readDecision } from './read-decision.ts'
import { storeResult } from './store-result.ts'
import type { ToolOwners } from './tool-owners.ts'

export interface ToolStagesParts {
  hooks: readonly MountedHook[]
  ask: AskHook
  owners: ToolOwners
  shelf: MediaStore
}

interface Content {
  tool: string
  arguments: JsonObject
}

type ToolFinding =
  | Exclude<HookDecision, { kind: 'change' | 'respond' }>
  | { kind: 'change'; to: Content }
  | { kind: 'respond'; result: StoredResult }

export function createToolStages(
  parts: ToolStagesParts,
): Pick<HookChain, 'beforeTool' | 'provide' | 'approveTool'> {
  const { hooks, ask, owners, shelf } = parts

  const consultBefore = (hook: MountedHook, call: HookCall, about: HookContext) =>
    ask<ToolFinding>({
      hook,
      stage: 'beforeTool',
      about,
      put: (context) => hook.stages.beforeTool?.(copyOfCall(call), context),
      async read(answer) {
        const decided = readDecision(hook.name, answer, LANGUAGES.beforeTool)
        if (decided.kind === 'respond') {
          if (!hook.trusted) throw untrusted(hook.name, "answer in a tool's place")
          const result = readShape<GivenResult>(hook.name, decided.payload, 'result')
          const { session } = about
          return { kind: 'respond', result: await storeResult(result, { hook: hook.name, session, shelf }) }
        }
        if (decided.kind !== 'change') return decided
        const to = readShape<Content>(hook.name, decided.payload, 'call')
        if (isSame('call', to, call)) return { kind: 'continue' }
        if (!hook.trusted) throw untrusted(hook.name, 'change a call')
        return { kind: 'change', to }
      },
    })

  return {
    async beforeTool(given, about) {
      let call = copyOfCall(given)
      const changedBy: string[] = []
      const waiting = hooks.filter(({ stages }) => stages.beforeTool !== undefined)
      const provides = (hook: MountedHook) => owners.of(about.session, call.tool) === hook.name
      // The hook that provides the tool waits: where a later one makes it a call of another tool, its turn comes after all.
      for (;;) {
        const at = waiting.findIndex((hook) => !provides(hook))
        const hook = waiting[at]
        if (hook === undefined) return { kind: 'go', tool: call.tool, arguments: call.arguments, changedBy }
        waiting.splice(at, 1)
        const finding = await consultBefore(hook, call, about)
        const by = hook.name
        if (finding.kind === 'respond') return { ...finding, tool: call.tool, arguments: call.arguments, by }
        const refusal = refusalOf(finding, by)
        if (refusal !== undefined) return refusal
        if (finding.kind !== 'change') continue
        call = { ...call, ...finding.to }
        changedBy.push(by)
      }
    },

    async provide(call, about) {
      const owner = owners.of(about.session, call.tool)
      const hook = hooks.find(({ name }) => name === owner)
      const by = hook?.name ?? 'hooks'
      if (hook?.stages.beforeTool === undefined)
        return {
          kind: 'deny',
          by,
          reason: `no hook provides the tool ${quote(call.tool)} in this session now`,
        }
      const { session } = about
      const finding = await ask<ToolFinding>({
        hook,
        stage: 'provide',
        about,
        mustAnswer: true,
        put: (context) => hook.stages.beforeTool?.(copyOfCall(call), context),
        async read(answer) {
          const decided = readDecision(by, answer, LANGUAGES.beforeTool)
          if (decided.kind === 'change')
            throw failed(
              by,
              'it wants to change a call that is approved already; it provides the tool, so it answers with respond',
            )
          if (decided.kind === 'continue')
            throw failed(by, `it provides the tool ${quote(call.tool)} and did not answer with respond`)
          if (decided.kind !== 'respond') return decided
          const result = readShape<GivenResult>(by, decided.payload, 'result')
          return { kind: 'respond', result: await storeResult(result, { hook: by, session, shelf }) }
        },
      })
      if (finding.kind === 'respond') return { kind: 'result', result: finding.result, by }
      const refusal = refusalOf(finding, by)
      return refusal ?? { kind: 'deny', by, reason: `hook ${quote(by)} did not answer` }
    },

    async approveTool(call, about) {
      for (const hook of hooks) {
        const put = hook.stages.approveTool
        if (put === undefined) continue
        const finding = await ask<{ kind: 'approved' } | { kind: 'denied'; reason: string }>({
          hook,
          stage: 'approveTool',
          about,
          mustAnswer: true,
          put: (context) => put(copyOfCall(call), context),
          read(answer) {
            const reason = readApproval(hook.name, answer)
            return reason === undefined ? { kind: 'approved' } : { kind: 'denied', reason }
          },
        })
        if (finding.kind === 'approved') continue
        const reason =
          finding.kind === 'continue' ? `hook ${quote(hook.name)} did not answer` : finding.reason
        return { kind: 'deny', by: hook.name, reason }
      }
      return { kind: 'go' }
    },
  }
}

function refusalOf(
  finding: ToolFinding | { kind: 'failed'; reason: string },
  by: string,
): Extract<ToolStep & ProvidedStep, { kind: 'deny' | 'stop' }> | undefined {
  switch (finding.kind) {
    case 'stop':
      return { ...finding, by }
    case 'deny':
    case 'failed':
      return { kind: 'deny', by, reason: finding.reason }
  }
  return undefined
}

/** Through the canonical form, so that all hooks are shown what will be approved and run. */
function copyOfCall({ callId, tool, arguments: args }: HookCall): HookCall {
  return { callId, tool, arguments: parseJson<JsonObject>(canonicalize(args)) }
}
