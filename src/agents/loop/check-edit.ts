/** A person approved other arguments than the hooks have seen: hooks look at those too. They may still say no, and nothing else. */
import { canonicalize } from '../../core/json/json.ts'
import type { HookCall } from '../hooks/hook.ts'
import { LateDenial, LateRefusal } from './late-refusal.ts'
import { hookContext, invalid, type TurnState } from './turn-state.ts'

export async function checkEdit(
  state: TurnState,
  step: number,
  edited: HookCall,
  signal: AbortSignal,
): Promise<void> {
  const { hooks } = state.parts
  // The schema that people edit by says less than the tool's own.
  const problem = state.findTool(edited.tool)?.check(edited.arguments)
  if (problem !== undefined)
    throw new LateRefusal(invalid(`it was edited to something that does not fit: ${problem}`))
  const about = hookContext(state, step, signal)
  const before = await hooks.beforeTool(edited, about)
  if (before.kind === 'stop' || before.kind === 'deny') throw new LateDenial(before.by, before.reason)
  const isChanged =
    before.kind === 'respond' ||
    before.tool !== edited.tool ||
    canonicalize(before.arguments) !== canonicalize(edited.arguments)
  if (isChanged) {
    const by = before.kind === 'respond' ? before.by : (before.changedBy[0] ?? 'a hook')
    throw new LateDenial(by, 'a hook would change what a person has edited; what was approved is what runs')
  }
  const approval = await hooks.approveTool(edited, about)
  if (approval.kind === 'deny') throw new LateDenial(approval.by, approval.reason)
}
