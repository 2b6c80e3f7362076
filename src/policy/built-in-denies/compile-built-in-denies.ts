/**
 * The denies that no list, mode or grant lifts (P11): calls that write Banksman's own configuration, policy and hook
 * files, or that touch its data folder, its address or its program. An agent that could do that could approve itself.
 *
 * Where nothing is known of what a tool does, every mention counts. What is looked at: every text and every key in the
 * arguments, the working folder, the resolved paths among the facts, so that a link is seen through, and for a shell
 * what the line comes to. What is let pass: texts that are written for readers, unless the whole text is one path or
 * address; and tools and commands that are known to only read, as far as they are about files that may be read. It
 * errs on the side of denying, and it is no wall: a program that composes a name out of parts is not seen here.
 */

import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import type { AgentPlaces } from '../agent-files/agent-table.ts'
import { valuesAt } from '../matchers/pointer.ts'
import { foldCase } from '../matchers/spellings.ts'
import { ownInSweep } from '../recursive-reads/own-in-sweep.ts'
import { sweepsIn } from '../recursive-reads/sweep-part.ts'
import type { CallSubject } from '../subject/subject.ts'
import { someText } from '../subject/texts-in.ts'
import { denyProcessPaths } from './deny-process-paths.ts'
import type { OwnMatchers } from './find-own-in-command.ts'
import { createLineSearch, type LineSearch } from './find-own-in-line.ts'
import { findOwnInTexts, shortenPointer } from './find-own-in-texts.ts'
import { lineContextOf, linePlaceOf } from './line-context.ts'
import { compileOwnAddresses } from './own-addresses.ts'
import { ownDenial } from './own-denial.ts'
import type { OwnPath } from './own-path.ts'
import { compileOwnPaths, type OwnPaths } from './own-paths.ts'
import { removedOwnFolder } from './removed-own-folder.ts'
import { compilePrefilter } from './text-prefilter.ts'

/** What belongs to Banksman itself. */
export interface OwnHouse {
  /** Configuration, policy and hook files, which may be read and not written; absolute. */
  files: readonly string[]
  /** Files that may not even be read, such as a database; absolute. */
  untouchable?: readonly string[]
  /** The data folder and others of which nothing may be touched; absolute. */
  folders: readonly string[]
  /** Such as `127.0.0.1:4790`. This machine's other names for itself are known. */
  addresses: readonly string[]
  program: string
  /** Where coding agents have their settings; left out, those are not kept from calls. */
  agents?: AgentPlaces
}

type BuiltInDenies = (subject: CallSubject) => DenyVerdict | undefined

export function compileBuiltInDenies(ownHouse: OwnHouse): BuiltInDenies {
  const program = foldCase(ownHouse.program)
  if (!/^[^\s/]+$/.test(program)) {
    throw new BanksmanError(
      'invalid_configuration',
      `${JSON.stringify(ownHouse.program)} is not the name of a program`,
    )
  }
  const paths = ownPathsOf(ownHouse)
  const addresses = compileOwnAddresses(ownHouse.addresses)
  const trigger = compilePrefilter(paths.names, [...addresses.triggers, program])
  const own: OwnMatchers = { paths, addresses, program, trigger }
  return (subject) => {
    const place = linePlaceOf(subject.entry)
    let line: LineSearch | undefined
    const lineOf = () => {
      line ??= createLineSearch(lineContextOf(subject, place), own)
      return line
    }
    const known =
      lookAtFolder(subject, own) ??
      lookAtPaths(subject, own) ??
      lookAtPattern(subject, own) ??
      lookAtPatch(subject, own.paths) ??
      denyProcessPaths(subject, own)
    if (known !== undefined) return known
    const texts = findOwnInTexts(subject, own, place, lineOf)
    if (texts.denial !== undefined) return texts.denial
    const url = texts.triggered || addresses.needNoPort ? lookAtUrls(subject, own) : undefined
    if (url !== undefined) return url
    if (place === undefined) return lookAtRemoval(subject, own)
    if (!texts.worthReading && !leadsHere(subject, own)) return undefined
    const found = lineOf().find()
    return found === undefined ? undefined : ownDenial(found.rule, found.why)
  }
}

export function ownPathsOf({ files, untouchable = [], folders, program }: OwnHouse): OwnPaths {
  return compileOwnPaths({ files, untouchable, folders }, foldCase(program))
}

function lookAtFolder(
  { call, facts }: CallSubject,
  { paths, trigger }: OwnMatchers,
): DenyVerdict | undefined {
  for (const folder of [call.cwd, facts?.folder]) {
    if (folder === undefined || !trigger.test(foldCase(folder))) continue
    const owner = paths.ownerOf(folder, '/')
    if (owner !== undefined) return ownDenial('own files', reasonOf('own.folder', { path: owner.given }))
  }
  return undefined
}

function lookAtPaths({ call, facts, entry }: CallSubject, own: OwnMatchers): DenyVerdict | undefined {
  for (const pointer in facts?.paths) {
    const { resolved } = facts.paths[pointer]!
    if (!own.trigger.test(foldCase(resolved))) continue
    const owner = own.paths.ownerOf(resolved, call.cwd ?? '/')
    if (owner === undefined || (owner.readable && entry?.kind === 'read')) continue
    return ownDenial(
      'own files',
      reasonOf('own.path-at', { pointer: shortenPointer(pointer), path: owner.given }),
    )
  }
  return undefined
}

/** What changes all that a pattern finds may change what is ours. */
function lookAtPattern(subject: CallSubject, { paths }: OwnMatchers): DenyVerdict | undefined {
  const { kind, glob } = subject.entry ?? {}
  if (glob === undefined || kind === 'shell' || kind === 'read') return undefined
  for (const part of sweepsIn(subject)) {
    const owner = ownInSweep(part, paths, true)
    if (owner !== undefined)
      return ownDenial('own files', reasonOf('own.path-may-lead', { path: owner.given }))
  }
  return undefined
}

/** The files that `apply_patch` of a shell line names are no words of it. */
export function patchedOwn(subject: CallSubject, paths: OwnPaths): OwnPath | undefined {
  const { call } = subject
  // Most lines have none, and need not be read for it.
  if (subject.entry?.kind !== 'shell' || !someText(call.arguments, /apply_?patch/)) return undefined
  for (const part of subject.parts) {
    if (part.kind !== 'command' || !/^apply_?patch$/.test(part.command.program ?? '')) continue
    for (const mention of part.mentions) {
      const places = [subject.resolved(mention), mention.path].filter((one) => one !== undefined)
      const owner = places.map((one) => paths.ownerOf(one, call.cwd ?? '/')).find(Boolean)
      if (owner !== undefined) return owner
    }
  }
  return undefined
}

function lookAtPatch(subject: CallSubject, paths: OwnPaths): DenyVerdict | undefined {
  const owner = patchedOwn(subject, paths)
  return owner && ownDenial('own files', reasonOf('own.path-may-lead', { path: owner.given }))
}

/** What the catalogue says is an address is read as one, besides being searched as a text. */
function lookAtUrls({ call, entry }: CallSubject, { addresses }: OwnMatchers): DenyVerdict | undefined {
  if (entry === undefined || entry.urls.length === 0) return undefined
  for (const { pointer, value } of entry.urls.flatMap((one) => valuesAt(call.arguments, one))) {
    if (typeof value === 'string' && addresses.isUrl(value))
      return ownDenial('own address', reasonOf('own.address-at', { pointer: shortenPointer(pointer) }))
  }
  return undefined
}

function lookAtRemoval(subject: CallSubject, { paths }: OwnMatchers): DenyVerdict | undefined {
  const found = subject.entry?.kind === 'read' ? undefined : removedOwnFolder(subject, paths)
  return found === undefined ? undefined : ownDenial('own files inside', found)
}

/** Whether a word of the line leads to something of ours. */
function leadsHere({ facts }: CallSubject, { trigger }: OwnMatchers): boolean {
  for (const word in facts?.words) if (trigger.test(foldCase(facts.words[word]!))) return true
  return false
}
