/**
 * The text of the file that a call changes, so that the change can be shown where it will be made. It is for the eyes of
 * who may decide, and only a help: where it can't be had, or has a secret in it, the change is shown by itself.
 */
import type { CallContent } from '../../core/call.ts'
import type { Facts } from '../../core/verdict.ts'
import { valueAt } from '../../display/masks/json-pointer.ts'
import { createTextMasks } from '../../display/masks/mask-text.ts'
import { changedFileOf } from '../../display/render.ts'
import type { GatewayParts } from '../gateway-parts.ts'

export async function withChangedFile(
  readText: GatewayParts['readText'],
  { arguments: args }: CallContent,
  facts: Facts | undefined,
): Promise<Facts | undefined> {
  const pointer = changedFileOf(args)
  const paths = facts?.paths
  if (pointer === undefined || paths === undefined || !Object.hasOwn(paths, pointer)) return facts
  const fact = paths[pointer]!
  if (!fact.exists) return facts
  const text = await readText?.(fact.resolved).catch(() => undefined)
  if (text === undefined || hasSecret(text)) return facts
  return { ...facts, paths: { ...paths, [pointer]: { ...fact, text } } }
}

/** Whether both name the file that they change by the same argument, in the same words. */
export function changesSameFile(one: CallContent, other: CallContent): boolean {
  const pointer = changedFileOf(one.arguments)
  return (
    pointer !== undefined &&
    pointer === changedFileOf(other.arguments) &&
    valueAt(one.arguments, pointer) === valueAt(other.arguments, pointer)
  )
}

/** A mask can't be told from what somebody wrote, but for its bracket: that one is always written out. */
function hasSecret(text: string): boolean {
  return createTextMasks()(text).includes('\u27e8masked: ')
}
