/**
 * The denies that no list, mode or grant lifts (P11): calls that name Banksman's own configuration, policy and
 * hook files, its data folder, its address or its program. An agent that could change these could approve itself.
 *
 * As long as nothing is known of what a tool does, every mention counts, also one by a tool that only reads. What
 * is looked at: every text and every key in the arguments, the working folder, and the resolved paths among the
 * facts, so that a link is seen through. What is let pass: texts that are written for readers (see
 * `argumentKind`), unless the whole text is one path or address. It errs on the side of denying, and it is no
 * wall: a program that composes a name out of parts is not seen here, nor is a call on a folder above ours.
 */
import { BanksmanError } from '../core/errors.ts'
import { type JsonValue, MAX_DEPTH, pointerStep } from '../core/json.ts'
import type { DenyVerdict, Facts } from '../core/verdict.ts'
import { argumentKind } from './own-house/argument-kind.ts'
import { compileOwnAddresses, type OwnAddresses } from './own-house/own-addresses.ts'
import { compileOwnPaths, type OwnPaths } from './own-house/own-paths.ts'
import { runsProgram } from './own-house/own-program.ts'
import { foldCase, spellingsOf } from './own-house/spellings.ts'
import { compileTrigger } from './own-house/trigger.ts'

/** What belongs to Banksman itself. */
export interface OwnHouse {
  /** Configuration, policy and hook files, and the program's own files where they are known; absolute. */
  files: readonly string[]
  /** The data folder; absolute. */
  folders: readonly string[]
  /** Such as `127.0.0.1:4790`. This machine's other names for itself are known. */
  addresses: readonly string[]
  program: string
}

export interface JudgedCall {
  readonly tool: string
  readonly arguments: { readonly [key: string]: JsonValue }
  readonly cwd?: string | undefined
}

type BuiltInDenies = (call: JudgedCall, facts?: Facts) => DenyVerdict | undefined

export function compileBuiltInDenies(house: OwnHouse): BuiltInDenies {
  const program = foldCase(house.program)
  if (!/^[^\s/]+$/.test(program)) {
    throw new BanksmanError(
      'invalid_configuration',
      `${JSON.stringify(house.program)} is not the name of a program`,
    )
  }
  const paths = compileOwnPaths(house.files, house.folders, program)
  const addresses = compileOwnAddresses(house.addresses)
  const trigger = compileTrigger(paths.names, [...addresses.triggers, program])
  return (call, facts) => {
    const { cwd } = call
    const ownerOf = (path: string) =>
      trigger.test(foldCase(path)) ? paths.ownerOf(path, cwd ?? '/') : undefined
    const here = cwd === undefined ? undefined : ownerOf(cwd)
    if (here !== undefined) return denial('own files', `the working folder is in ${here}`)
    if (facts?.paths !== undefined) {
      for (const [pointer, fact] of Object.entries(facts.paths)) {
        const owner = ownerOf(fact.resolved)
        if (owner !== undefined) return denial('own files', `the path at ${pointer} leads to ${owner}`)
      }
    }
    const search: Search = {
      call,
      paths,
      addresses,
      program,
      trigger,
      trail: [],
      visits: 0,
      bases: undefined,
    }
    return lookInto(call.arguments, '', search)
  }
}

interface Search {
  readonly call: JudgedCall
  readonly paths: OwnPaths
  readonly addresses: OwnAddresses
  readonly program: string
  /** What matches nowhere in a text makes every closer look at it needless. */
  readonly trigger: RegExp
  /** The keys and indexes on the way to the value that is being looked at. */
  readonly trail: (string | number)[]
  visits: number
  /** The folders in which a relative path may be meant. Worked out when the first one is needed. */
  bases: string[] | undefined
}

/** No call within the size limit has more values than this. */
const MAX_VISITS = 1024 * 1024

function lookInto(value: unknown, key: string, search: Search): DenyVerdict | undefined {
  if (typeof value === 'string') return lookAtText(value, key, search)
  if (typeof value !== 'object' || value === null) return undefined
  search.visits++
  if (search.visits > MAX_VISITS || search.trail.length > MAX_DEPTH) {
    return {
      kind: 'deny',
      because: 'the arguments are too large or too deep to be looked through, and such calls are denied',
      rule: 'built-in: unreadable call',
    }
  }
  if (Array.isArray(value)) {
    const command = lookAtWords(value, key, search)
    if (command !== undefined) return command
    for (let index = 0; index < value.length; index++) {
      search.trail.push(index)
      const found = lookInto(value[index], key, search)
      if (found !== undefined) return found
      search.trail.pop()
    }
    return undefined
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    search.trail.push(name)
    const found =
      lookAtText(name, '', search) ??
      lookAtPort(name, member, value, search) ??
      lookInto(member, name, search)
    if (found !== undefined) return found
    search.trail.pop()
  }
  return undefined
}

/** A command is often given as a list of words, which say nothing one by one: `["nc", "localhost", 4790]`. */
function lookAtWords(words: unknown[], key: string, search: Search): DenyVerdict | undefined {
  if (words.length < 2 || argumentKind(search.call.tool, key) !== 'command') return undefined
  const parts = words.filter((word) => typeof word === 'string' || typeof word === 'number')
  return lookAtText(parts.join(' '), key, search)
}

function lookAtText(text: string, key: string, search: Search): DenyVerdict | undefined {
  for (const spelling of spellingsOf(text)) {
    if (!search.trigger.test(spelling)) continue
    const found = lookCloser(spelling, key, search)
    if (found !== undefined) return found
  }
  return undefined
}

function lookCloser(text: string, key: string, search: Search): DenyVerdict | undefined {
  const kind = argumentKind(search.call.tool, key)
  if (kind === 'note' && /\s/.test(text.trim())) return undefined
  const path = search.paths.namedIn(text, basesOf(search))
  if (path !== undefined) return denial('own files', `the argument at ${pointerOf(search)} names ${path}`)
  if (search.addresses.namedIn(text)) {
    return denial('own address', `the argument at ${pointerOf(search)} names the server's own address`)
  }
  if (kind === 'command' && runsProgram(text, search.program)) {
    return denial('own program', `the argument at ${pointerOf(search)} runs ${search.program}`)
  }
  return undefined
}

/** A port by itself, beside a host of ours or none at all. */
function lookAtPort(name: string, value: unknown, around: object, search: Search): DenyVerdict | undefined {
  if (!search.addresses.isPort(value) || !/port/i.test(name)) return undefined
  const hosts = Object.entries(around).filter(
    (entry): entry is [string, string] =>
      /host|addr|server|ip$/i.test(entry[0]) && typeof entry[1] === 'string',
  )
  if (hosts.length > 0 && !hosts.some(([, host]) => search.addresses.isHost(host))) return undefined
  return denial('own address', `the argument at ${pointerOf(search)} is the server's own port`)
}

/** The working folder, and every absolute path in the arguments: a tool may take one of them as its root. */
function basesOf(search: Search): string[] {
  if (search.bases !== undefined) return search.bases
  const bases = new Set(
    search.call.cwd === undefined ? [] : [foldCase(search.call.cwd).replaceAll('\\', '/')],
  )
  const pending: unknown[] = [search.call.arguments]
  for (let looked = 0; pending.length > 0 && bases.size < MAX_BASES && looked < MAX_LOOKS; looked++) {
    const value = pending.pop()
    if (typeof value === 'string' && /^(?:\/|[a-z]:[/\\])\S+$/i.test(value)) {
      bases.add(foldCase(value).replaceAll('\\', '/'))
    } else if (typeof value === 'object' && value !== null) {
      pending.push(...Object.values(value).slice(0, MAX_BASES))
    }
  }
  search.bases = [...bases]
  return search.bases
}

const MAX_BASES = 16
const MAX_LOOKS = 1000

function pointerOf(search: Search): string {
  const pointer = search.trail.map(pointerStep).join('')
  return pointer.length > 200 ? `${pointer.slice(0, 200).toWellFormed()}…` : pointer
}

function denial(rule: string, what: string): DenyVerdict {
  return {
    kind: 'deny',
    because: `${what}, which belongs to Banksman itself; no list, mode or grant lifts this`,
    rule: `built-in: ${rule}`,
  }
}
