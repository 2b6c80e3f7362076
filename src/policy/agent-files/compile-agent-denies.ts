/**
 * The denies for files that coding agents take hooks, plugins, trust, rules and MCP entries from: no call may write,
 * remove, move or replace one, whatever the policy says (P11). Reading them is left to the policy.
 *
 * Found as what is Banksman's own is, with these differences, because people work beside such files every day: a line
 * that is understood is judged by what its commands write, so that a document may speak of them; of a patch only the
 * headers count; and texts of several words in arguments that are no commands are for readers.
 */

import { told } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { DenyVerdict } from '../../core/verdict.ts'
import { patchedOwn } from '../built-in-denies/compile-built-in-denies.ts'
import type { OwnMatchers } from '../built-in-denies/find-own-in-command.ts'
import { findOwnInTexts, shortenPointer } from '../built-in-denies/find-own-in-texts.ts'
import { linePlaceOf } from '../built-in-denies/line-context.ts'
import { compileOwnAddresses } from '../built-in-denies/own-addresses.ts'
import type { OwnPaths } from '../built-in-denies/own-paths.ts'
import { removedOwnFolder } from '../built-in-denies/removed-own-folder.ts'
import { compilePrefilter } from '../built-in-denies/text-prefilter.ts'
import { foldCase } from '../matchers/spellings.ts'
import type { CallSubject } from '../subject/subject.ts'
import { isPatch, patchedFiles } from '../tools/patch-headers.ts'
import type { AgentFileUse, AgentPlaces } from './agent-table.ts'
import { findInAgentLine, isNothingWritten } from './find-in-agent-line.ts'
import { createMayConcern } from './may-concern.ts'
import { NO_PROGRAM, protectAgentFiles } from './protected-agent-files.ts'

const AGENT_FILES = 'built-in: agent files'

export function compileAgentDenies(places: AgentPlaces): (subject: CallSubject) => DenyVerdict | undefined {
  const { paths, variables, of } = protectAgentFiles(places)
  const mayConcern = createMayConcern(compilePrefilter(paths.names, variables), places.homes)
  const own: OwnMatchers = {
    paths: byHeaders(paths),
    addresses: compileOwnAddresses([]),
    program: NO_PROGRAM,
    // Once something in the call tells of an agent, every name of its files counts.
    trigger: compilePrefilter([...new Set([...paths.names, ...paths.lastNames])], []),
    passes: isNothingWritten,
    isProse: true,
  }
  const find = (subject: CallSubject): Reason | undefined => {
    const { entry } = subject
    if (entry?.kind === 'shell') {
      const patched = patchedOwn(subject, paths)
      if (patched !== undefined) return reasonOf('own.path-may-lead', { path: patched.given })
      return findInAgentLine(subject, own) ?? inTexts(subject, own)
    }
    return inPaths(subject, own) ?? inTexts(subject, own) ?? removedOwnFolder(subject, paths)
  }
  return (subject) => {
    const kind = subject.entry?.kind
    if (kind === 'read' || kind === 'network' || !mayConcern(subject)) return undefined
    const why = find(subject)
    if (why === undefined) return undefined
    const path = why.values?.path
    const found = typeof path === 'string' ? of(path) : undefined
    const reason = reasonOf('deny.agent-file', {
      why,
      agent: found?.agent.name ?? '',
      what: useReason(found?.file.holds[0] ?? 'hooks'),
    })
    return { kind: 'deny', ...told(reason), rule: AGENT_FILES }
  }
}

function useReason(use: AgentFileUse): Reason {
  switch (use) {
    case 'hooks':
      return reasonOf('agent-file.hooks')
    case 'plugins':
      return reasonOf('agent-file.plugins')
    case 'trust':
      return reasonOf('agent-file.trust')
    case 'rules':
      return reasonOf('agent-file.rules')
    case 'mcp':
      return reasonOf('agent-file.mcp')
  }
}

/** Of a text that is a patch, only what its headers name counts. */
function byHeaders(paths: OwnPaths): OwnPaths {
  return {
    ...paths,
    namedIn(text, bases, reading) {
      if (!isPatch(text)) return paths.namedIn(text, bases, reading)
      const files = patchedFiles(text)
      const from = bases.length === 0 ? ['/'] : bases
      return files.flatMap((file) => from.map((base) => paths.ownerOf(file, base))).find(Boolean)?.given
    },
  }
}

function inPaths({ call, facts, parts }: CallSubject, { paths, trigger }: OwnMatchers): Reason | undefined {
  for (const pointer in facts?.paths) {
    const { resolved } = facts.paths[pointer]!
    const owner = trigger.test(foldCase(resolved)) ? paths.ownerOf(resolved, '/') : undefined
    if (owner !== undefined)
      return reasonOf('own.path-at', { pointer: shortenPointer(pointer), path: owner.given })
  }
  for (const part of parts) {
    const owner = part.kind === 'path' ? paths.ownerOf(part.text, call.cwd ?? '/') : undefined
    if (owner !== undefined) return reasonOf('own.path-may-lead', { path: owner.given })
  }
  return undefined
}

/** What the arguments name; a line that stands there was looked at by what it comes to. */
function inTexts(subject: CallSubject, own: OwnMatchers): Reason | undefined {
  const place = linePlaceOf(subject.entry)
  const { denial } = findOwnInTexts(subject, own, place, () => READ_ALREADY)
  const why = denial?.reason?.values?.why
  return typeof why === 'object' && !Array.isArray(why) ? (why as Reason) : undefined
}

const READ_ALREADY = { excused: () => true, find: () => undefined }
