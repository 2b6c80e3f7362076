/** The hosts that settings name, for commands that take their hosts from there. */
import type { HostFact } from '../../core/verdict.ts'
import type { HostLookup } from '../../policy/network/reach.ts'
import { findRemoteHosts } from './git-remotes.ts'
import { findRegistries } from './registries.ts'

/** `placeOf`: where a folder of the line really is; undefined where that is not known. */
export async function findHosts(
  lookups: readonly HostLookup[],
  home: string,
  placeOf: (folder: string) => Promise<string | undefined>,
): Promise<Record<string, HostFact>> {
  const found: Record<string, HostFact> = {}
  for (const { key, settings, folder: named, remote, push = false } of lookups) {
    const folder = await placeOf(named === '' ? '.' : named)
    if (folder === undefined) continue
    const fact =
      settings === 'git'
        ? await findRemoteHosts({ folder, home, remote, push })
        : await findRegistries(settings, folder, home)
    if (fact !== undefined) found[key] = fact
  }
  return found
}
