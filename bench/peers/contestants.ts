/**
 * Ours and the peers behind one shape: a call in, a verdict out. What a peer does not do is said beside it, because it
 * is part of why it is as fast as it is.
 */
import { compilePolicy } from '../../src/policy/compile-policy.ts'
import { peerFile } from './install.ts'
import type { Kind, Rules, WorkCall } from './workload.ts'

export interface Judging {
  name: string
  /** What it leaves out that ours does. */
  without?: string
  verdictOf(call: WorkCall): Promise<Kind> | Kind
  /** Judges the calls over and over, as its callers would. */
  judge(calls: readonly WorkCall[], times: number): Promise<void>
}

export async function judgings(rules: Rules): Promise<Judging[]> {
  return [banksman(rules), ...(await librechat(rules)), await picomatch(rules), await cedar(rules)]
}

function banksman(rules: Rules): Judging {
  const policy = compilePolicy(rules)
  return {
    name: 'banksman',
    verdictOf: (call) => policy.evaluate(call).kind,
    async judge(calls, times) {
      for (let time = 0; time < times; time++) for (const call of calls) policy.evaluate(call)
    },
  }
}

interface ToolPolicyModule {
  createToolPolicyHook(rules: Rules): (input: ToolPolicyInput) => Promise<{ decision: Kind }>
}

interface ToolPolicyInput {
  hook_event_name: 'PreToolUse'
  runId: string
  toolUseId: string
  toolName: string
  toolInput: Record<string, string>
}

async function librechat(rules: Rules): Promise<Judging[]> {
  // The file itself and not the package's door, which loads some hundred other packages; the code is the same.
  const file = peerFile('@librechat/agents', 'dist/esm/hooks/createToolPolicyHook.mjs')
  const { createToolPolicyHook } = (await import(file)) as ToolPolicyModule
  const hook = createToolPolicyHook(rules)
  const inputs = new Map<WorkCall, ToolPolicyInput>()
  const inputOf = (call: WorkCall): ToolPolicyInput => ({
    hook_event_name: 'PreToolUse',
    runId: 'run-1',
    toolUseId: 'call-1',
    toolName: call.tool,
    toolInput: call.arguments,
  })
  const prepare = (calls: readonly WorkCall[]) => {
    for (const call of calls) if (!inputs.has(call)) inputs.set(call, inputOf(call))
    return calls.map((call) => inputs.get(call)!)
  }
  const verdictOf = async (call: WorkCall) => (await hook(inputOf(call))).decision
  const without = 'which rule decided'
  return [
    {
      name: 'createToolPolicyHook',
      without,
      verdictOf,
      async judge(calls, times) {
        const prepared = prepare(calls)
        for (let time = 0; time < times; time++) for (const input of prepared) await hook(input)
      },
    },
    {
      name: 'createToolPolicyHook, nobody waiting for its promise',
      without,
      verdictOf,
      async judge(calls, times) {
        const prepared = prepare(calls)
        for (let time = 0; time < times; time++) for (const input of prepared) void hook(input)
      },
    },
  ]
}

interface PicomatchModule {
  default(patterns: string[], options: { dot: boolean }): (name: string) => boolean
}

async function picomatch(rules: Rules): Promise<Judging> {
  const { default: compile } = (await import(peerFile('picomatch', 'index.js'))) as PicomatchModule
  const matcher = (list: string[]) => (list.length === 0 ? () => false : compile(list, { dot: true }))
  const deny = matcher(rules.deny)
  const ask = matcher(rules.ask)
  const allow = matcher(rules.allow)
  const verdictOf = ({ tool }: WorkCall): Kind => {
    if (deny(tool)) return 'deny'
    if (ask(tool)) return 'ask'
    return allow(tool) ? 'allow' : 'ask'
  }
  return {
    name: 'picomatch, in our order',
    without: 'which rule decided; its * stops at a slash',
    verdictOf,
    async judge(calls, times) {
      for (let time = 0; time < times; time++) for (const call of calls) verdictOf(call)
    },
  }
}

interface CedarModule {
  preparsePolicySet(id: string, set: { staticPolicies: Record<string, string> }): { type: string }
  statefulIsAuthorized(call: CedarCall): CedarAnswer
}

interface CedarCall {
  principal: { type: string; id: string }
  action: { type: string; id: string }
  resource: { type: string; id: string }
  context: { tool: string }
  preparsedPolicySetId: string
  entities: never[]
}

type CedarAnswer =
  | { type: 'failure'; errors: { message: string }[] }
  | { type: 'success'; response: { decision: 'allow' | 'deny'; diagnostics: { reason: string[] } } }

/**
 * Cedar knows permit and forbid. Both deny and ask are forbids here, and which of them held is read from the policies
 * that it names as its reason; nothing named is what the mode is for.
 */
async function cedar(rules: Rules): Promise<Judging> {
  const file = peerFile('@cedar-policy/cedar-wasm', 'nodejs/cedar_wasm.js')
  const { default: module } = (await import(file)) as { default: CedarModule }
  const id = `rules-${rules.deny.length + rules.ask.length + rules.allow.length}`
  const policies: [string, string][] = (['deny', 'ask', 'allow'] as const).flatMap((kind) =>
    rules[kind].map((pattern, index): [string, string] => [`${kind}-${index}`, cedarPolicy(kind, pattern)]),
  )
  const parsed = module.preparsePolicySet(id, { staticPolicies: Object.fromEntries(policies) })
  if (parsed.type !== 'success') throw new Error(`Cedar refused the policies: ${JSON.stringify(parsed)}`)
  const verdictOf = ({ tool }: WorkCall): Kind => {
    const answer = module.statefulIsAuthorized({
      principal: { type: 'Agent', id: 'agent' },
      action: { type: 'Action', id: 'call' },
      resource: { type: 'Session', id: 'session' },
      context: { tool },
      preparsedPolicySetId: id,
      entities: [],
    })
    if (answer.type === 'failure') throw new Error(answer.errors[0]?.message)
    const { decision, diagnostics } = answer.response
    if (decision === 'allow') return 'allow'
    return diagnostics.reason.some((policy) => policy.startsWith('deny')) ? 'deny' : 'ask'
  }
  return {
    name: 'cedar-wasm, policies parsed beforehand',
    without: 'a third verdict; ask is read from its reasons',
    verdictOf,
    async judge(calls, times) {
      for (let time = 0; time < times; time++) for (const call of calls) verdictOf(call)
    },
  }
}

function cedarPolicy(kind: Kind, pattern: string): string {
  const operator = pattern.includes('*') ? 'like' : '=='
  const effect = kind === 'allow' ? 'permit' : 'forbid'
  return `${effect} (principal, action, resource) when { context.tool ${operator} ${JSON.stringify(pattern)} };`
}
