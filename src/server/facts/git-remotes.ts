/**
 * Where the remotes of a git repository lead, by its settings and the user's. Git itself is never run: its settings may name
 * programs. Undefined where it can't be told, and a command that uses the remote then needs a person.
 */
import { isAbsolute, join } from 'node:path'
import type { HostFact } from '../../core/verdict.ts'
import { type GitSettings, readGitSettings } from './git-config.ts'
import { bareAddress, foldersAround, readSettings } from './read-settings.ts'

export interface RemoteLookup {
  /** Absolute, with links followed. */
  readonly folder: string
  readonly home: string
  /** Undefined: the one that git takes by itself; `*`: all of them. */
  readonly remote: string | undefined
  readonly push: boolean
}

export async function findRemoteHosts(lookup: RemoteLookup): Promise<HostFact | undefined> {
  const { home, remote, push } = lookup
  const place = await findRepository(lookup.folder)
  // An address needs no repository, but settings may have another one taken in its place.
  const isNamed = remote === undefined || !isAddress(remote)
  if (place === undefined || (place === 'none' && isNamed)) return undefined
  const own = place === 'none' ? [] : [join(place.common, 'config'), join(place.own, 'config.worktree')]
  const shared = ['/etc/gitconfig', join(home, '.config', 'git', 'config'), join(home, '.gitconfig')]
  const settings = await readGitSettings([...shared, ...own], home)
  if (settings === undefined || runsPrograms(settings)) return undefined
  const addresses: string[] = []
  if (place === 'none' || !isNamed) addresses.push(rewritten(settings, remote ?? '', push))
  else {
    const head = await readSettings(join(place.own, 'HEAD'))
    if (head === undefined) return undefined
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1]
    for (const name of remotesOf(settings, lookup, branch)) {
      const known = await addressesOf(settings, name, push, place.common)
      if (known === undefined) return undefined
      addresses.push(...known)
    }
  }
  addresses.push(...valuesOf(settings, 'http', 'proxy'), ...valuesOf(settings, 'remote', 'proxy'))
  const hosts = addresses.map(hostIn)
  if (hosts.includes(undefined)) return undefined
  return { sure: [...new Set(hosts as string[])].filter((one) => one !== '').sort(), possible: [] }
}

/** Settings that have git reach others by a program may lead anywhere. */
function runsPrograms(settings: GitSettings): boolean {
  return settings.some(
    ({ section, key }) => section === 'core' && (key === 'sshcommand' || key === 'gitproxy'),
  )
}

function isAddress(remote: string): boolean {
  return hostIn(remote) !== ''
}

function remotesOf(
  settings: GitSettings,
  { remote, push }: RemoteLookup,
  branch: string | undefined,
): string[] {
  const names = [
    ...new Set(settings.filter(({ section }) => section === 'remote').map(({ name }) => name)),
  ].filter((name) => name !== '')
  if (remote === '*') return names
  if (remote !== undefined) return [remote]
  const of = (key: string) => valuesOf(settings, 'branch', key, branch).at(-1)
  const chosen = push
    ? (of('pushremote') ?? valuesOf(settings, 'remote', 'pushdefault', '').at(-1) ?? of('remote'))
    : of('remote')
  return [chosen ?? (names.length === 1 ? names[0]! : 'origin')]
}

function valuesOf(settings: GitSettings, section: string, key: string, name?: string): string[] {
  return settings
    .filter((one) => one.section === section && one.key === key && (name === undefined || one.name === name))
    .map(({ value }) => value)
}

/** Undefined where the remote is not written down as other remotes are. */
async function addressesOf(
  settings: GitSettings,
  name: string,
  push: boolean,
  common: string,
): Promise<string[] | undefined> {
  if (name === '.') return []
  if (valuesOf(settings, 'remote', 'vcs', name).length > 0) return undefined
  const urls = valuesOf(settings, 'remote', 'url', name)
  const pushed = push ? valuesOf(settings, 'remote', 'pushurl', name) : []
  if (pushed.length > 0) return pushed.map((url) => rewritten(settings, url, false))
  if (urls.length > 0) return urls.map((url) => rewritten(settings, url, push))
  for (const folder of ['remotes', 'branches']) {
    if (!/^[\w.-]+$/.test(name) || (await readSettings(join(common, folder, name))) !== 'none')
      return undefined
  }
  // Git then takes the name for an address.
  return [rewritten(settings, name, push)]
}

/** By the longest beginning that a setting names. */
function rewritten(settings: GitSettings, url: string, push: boolean): string {
  const by = (key: string) =>
    settings
      .filter((one) => one.section === 'url' && one.key === key && url.startsWith(one.value))
      .toSorted((a, b) => b.value.length - a.value.length)[0]
  const rule = (push ? by('pushinsteadof') : undefined) ?? by('insteadof')
  return rule === undefined ? url : rule.name + url.slice(rule.value.length)
}

/** '' for a folder on this machine; undefined where it can't be told. */
function hostIn(address: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return /^file:/i.test(address) ? '' : bareAddress(address)
  if (/^[\w-]+::/.test(address)) return undefined
  const [, host] = /^(?:[^/:@]*@)?(\[[^\]]+\]|[^/:[\]]+):/.exec(address) ?? []
  return host === undefined ? '' : `ssh://${host.toLowerCase()}`
}

/** The folder of the repository, and the one that its work trees share. Undefined where one is there but not understood. */
async function findRepository(folder: string): Promise<{ own: string; common: string } | 'none' | undefined> {
  for (const around of foldersAround(folder)) {
    const git = join(around, '.git')
    const text = await readSettings(git)
    if (text === 'none') {
      // A repository without a work tree is its own folder.
      if ((await isThere(join(around, 'HEAD'))) && (await isThere(join(around, 'config'))))
        return { own: around, common: around }
      continue
    }
    if (text === undefined) {
      if (!(await isThere(join(git, 'HEAD')))) return undefined
      return { own: git, common: git }
    }
    const named = /^gitdir: (.+)\s*$/.exec(text.trim())?.[1]
    if (named === undefined) return undefined
    const own = isAbsolute(named) ? named : join(around, named)
    const shared = await readSettings(join(own, 'commondir'))
    if (shared === undefined) return undefined
    const common =
      shared === 'none' ? own : isAbsolute(shared.trim()) ? shared.trim() : join(own, shared.trim())
    return { own, common }
  }
  return 'none'
}

async function isThere(path: string): Promise<boolean> {
  const text = await readSettings(path)
  return text !== 'none' && text !== undefined
}
