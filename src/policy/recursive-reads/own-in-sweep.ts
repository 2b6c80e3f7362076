/** Whether what a call reads or changes through a pattern may be something of ours. */
import type { OwnPath } from '../built-in-denies/own-path.ts'
import type { OwnPaths } from '../built-in-denies/own-paths.ts'
import { sparesOwn } from './sweep.ts'
import type { SweepPart } from './sweep-part.ts'

/** `ignored`: of our folders those that are passed over by whoever begins so deep, by the names on the way to them. */
export function ownInSweep(
  { folders, sweep, namesOnly }: SweepPart,
  own: OwnPaths,
  isEdit: boolean,
  ignored: (depth: number) => readonly (readonly string[])[] = () => [],
): OwnPath | undefined {
  if (namesOnly) return undefined
  for (const folder of folders) {
    const depth = folder.split('/').filter((name) => name !== '').length
    const passedOver = sweep.honoursIgnores ? ignored(depth) : []
    const owner = own.below(
      folder,
      '/',
      (one) =>
        (isEdit || !one.readable) &&
        !sparesOwn(sweep, one.names.slice(depth), one.isFolder) &&
        !passedOver.some((names) => names.every((name, at) => name === one.names[at])),
    )
    if (owner !== undefined) return owner
  }
  return undefined
}
