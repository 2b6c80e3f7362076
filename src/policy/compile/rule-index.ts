/**
 * Finds the rules that may be about the commands of a line, for rules about hosts alone and about paths alone: there may be a
 * thousand of them, and a line may have hundreds of commands with thousands of words. Hosts are found by their names, paths by
 * the folders that they are below. What comes of it is the same as trying each rule on each command, but that of the
 * commands about which nothing can be told, only one is named.
 */
import { plainPath } from '../matchers/inside-roots.ts'
import type { MatchResult } from '../matchers/match-result.ts'
import { foldName, isDrive, namedPath } from '../matchers/path-pattern.ts'
import { readWildWord } from '../matchers/wildcard-meets.ts'
import { namesOfReach } from '../network/match-reach.ts'
import { pathspecsOf } from '../shell/paths/pathspecs.ts'
import { spendSteps } from '../steps.ts'
import { commandsOf } from '../subject/command-parts.ts'
import type { CallSubject, CommandPart } from '../subject/subject.ts'
import type { CompiledWhen, PathKey } from './compiled-when.ts'
import { mayNameOthers } from './may-name-others.ts'

export interface KeyIndex<R> {
  has(rule: R): boolean
  /** The rules that hold for some command of the line, or may. */
  find(subject: CallSubject): ReadonlyMap<R, FoundParts>
}

export interface FoundParts {
  readonly certain: ReadonlySet<CommandPart>
  readonly possible: ReadonlySet<CommandPart>
}

interface Keyed {
  readonly when: CompiledWhen
}

export function indexByKey<R extends Keyed>(rules: readonly R[]): KeyIndex<R> {
  const hosts = new Map<string, R[]>()
  const folders: FolderNode<R> = { below: new Map(), rules: [] }
  const aboutHosts: R[] = []
  const aboutPaths: { rule: R; key: PathKey }[] = []
  for (const rule of rules) {
    const { key } = rule.when
    if (key?.kind === 'host') {
      aboutHosts.push(rule)
      for (const name of new Set(key.names)) put(hosts, name, rule)
    } else if (key?.kind === 'path') {
      aboutPaths.push({ rule, key })
      for (const base of new Set(key.bases)) nodeAt(folders, base).rules.push({ rule, key })
    }
  }
  const keyed = new Set<R>([...aboutHosts, ...aboutPaths.map(({ rule }) => rule)])
  return {
    has: (rule) => keyed.has(rule),
    find(subject) {
      const found = new Findings<R>()
      if (aboutHosts.length > 0) findHosts(subject, hosts, aboutHosts, found)
      if (aboutPaths.length > 0) findPaths(subject, folders, aboutPaths, found)
      return found.all
    },
  }
}

class Findings<R> {
  readonly all = new Map<R, { certain: Set<CommandPart>; possible: Set<CommandPart> }>()

  add(rule: R, part: CommandPart, holds: MatchResult): void {
    if (holds === 'no') return
    let parts = this.all.get(rule)
    if (parts === undefined) {
      parts = { certain: new Set(), possible: new Set() }
      this.all.set(rule, parts)
    }
    if (holds === 'yes') parts.certain.add(part)
    else parts.possible.add(part)
  }
}

function put<R>(map: Map<string, R[]>, name: string, rule: R): void {
  const already = map.get(name)
  if (already === undefined) map.set(name, [rule])
  else already.push(rule)
}

function findHosts<R extends Keyed>(
  subject: CallSubject,
  byName: ReadonlyMap<string, readonly R[]>,
  rules: readonly R[],
  found: Findings<R>,
): void {
  // What is open, and what is usual, is the same for every command that is so in the same way.
  const open = new Map<string, CommandPart>()
  for (const part of commandsOf(subject)) {
    const { reach } = part
    const named = new Set<R>()
    for (const name of namesOfReach(reach)) for (const rule of byName.get(name) ?? []) named.add(rule)
    for (const rule of named) found.add(rule, part, rule.when.holds(subject, part, false))
    const way = reach.open === undefined ? reach.usual?.join(' ') : OPEN
    if (way !== undefined && !open.has(way)) open.set(way, part)
  }
  for (const part of open.values())
    for (const rule of rules) found.add(rule, part, rule.when.holds(subject, part, false))
}

const OPEN = '\0'

interface FolderNode<R> {
  readonly below: Map<string, FolderNode<R>>
  readonly rules: { rule: R; key: PathKey }[]
}

function nodeAt<R>(root: FolderNode<R>, folder: string): FolderNode<R> {
  let node = root
  for (const name of namesIn(folder)) {
    let next = node.below.get(name)
    if (next === undefined) {
      next = { below: new Map(), rules: [] }
      node.below.set(name, next)
    }
    node = next
  }
  return node
}

/** `/a/b` is a, b; the root has none. */
function namesIn(path: string): string[] {
  return path === '' ? [] : path.slice(1).split('/')
}

/** The rules about a folder that the path is at or below. */
function rulesAround<R>(root: FolderNode<R>, path: string): { rule: R; key: PathKey }[] {
  const found = [...root.rules]
  let node: FolderNode<R> | undefined = root
  for (const name of namesIn(path)) {
    node = node.below.get(name)
    if (node === undefined) break
    found.push(...node.rules)
  }
  return found
}

function findPaths<R extends Keyed>(
  subject: CallSubject,
  folders: FolderNode<R>,
  rules: readonly { rule: R; key: PathKey }[],
  found: Findings<R>,
): void {
  const home = rules[0]?.key.home
  const open: CommandPart[] = []
  for (const part of commandsOf(subject)) {
    const { command } = part
    let isOpen = mayNameOthers(subject, command, [])
    for (const mention of part.mentions) {
      const resolved = subject.resolved(mention)
      const path = resolved === undefined ? undefined : plainPath(resolved)
      if (path === undefined || isDrive(path)) {
        isOpen = true
        continue
      }
      const named = namedPath(mention.path, home)
      const around = rulesAround(folders, foldName(path))
      if (named !== undefined && named !== path) around.push(...rulesAround(folders, foldName(named)))
      for (const { rule, key } of around)
        if (key.applies(command)) found.add(rule, part, key.fits(resolved, mention.path))
      spendSteps(10 * (1 + around.length))
    }
    const words = command.words.flatMap(({ value, pattern }) =>
      value === undefined || !pattern || isOpen ? [] : [readWildWord(value)],
    )
    if (!isOpen) words.push(...pathspecsOf(command).wild.map((word) => readWildWord(word, true)))
    for (const word of words) {
      spendSteps((word.findsDots ? 4 : 1) * rules.length)
      for (const { rule, key } of rules)
        if (key.mayMeet(word) && key.applies(command)) found.add(rule, part, 'unknown')
    }
    if (isOpen) open.push(part)
  }
  if (open.length === 0) return
  for (const { rule, key } of rules) {
    const part = open.find(({ command }) => key.applies(command))
    if (part !== undefined) found.add(rule, part, 'unknown')
  }
}
