/**
 * Entries of the lists. `Name(…)` is a specifier where Name is a tool that the catalogue knows; anything else is the
 * name of a tool, `*` for anything.
 */

import type { ToolKind } from '../../core/known-tool.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { VerdictKind } from '../../core/verdict.ts'
import { throwInvalidPolicy } from '../language/block-checks.ts'
import type { Catalogue } from '../tools/catalogue.ts'

export type ListEntry =
  | { kind: 'name'; pattern: string }
  | {
      kind: 'specifier'
      tool: string
      toolKind: ToolKind | undefined
      about: 'command' | 'path' | 'host'
      pattern: string
    }

export function readListEntry(
  entry: string,
  list: VerdictKind,
  catalogue: Catalogue,
  pointer: string,
): ListEntry {
  const [, tool, inner] = /^([^()*]+)\(([\s\S]*)\)$/.exec(entry) ?? []
  if (tool === undefined || inner === undefined) {
    const begun = /^([^()*]+)\(/.exec(entry)?.[1]
    if (begun !== undefined && catalogue.has(begun)) {
      throwInvalidPolicy(reasonOf('wrong.entry-open', { entry: JSON.stringify(entry), tool: begun }), pointer)
    }
    return { kind: 'name', pattern: entry }
  }
  const quoted = JSON.stringify(entry)
  if (!catalogue.has(tool)) {
    const near = nearestWord(tool, catalogue.names)
    if (near === undefined) return { kind: 'name', pattern: entry }
    // A misspelt deny that matches nothing would allow.
    return throwInvalidPolicy(
      reasonOf('wrong.entry-tool', { entry: quoted, tool: JSON.stringify(tool), near }),
      pointer,
      { suggestion: near },
    )
  }
  const pattern = inner.trim()
  if (pattern === '') throwInvalidPolicy(reasonOf('wrong.entry-empty', { entry: quoted, tool }), pointer)
  const { kind } = catalogue.find(tool) ?? {}
  // For a deny or an ask, everything is the tool itself; an allow of everything still leaves out what is not understood.
  // Of files and hosts everything is more than the tool: shell commands name them too.
  const isMore = kind === 'read' || kind === 'edit' || kind === 'network'
  if (pattern === '*' && list !== 'allow' && !isMore) return { kind: 'name', pattern: tool }
  switch (kind) {
    case 'shell':
      return { kind: 'specifier', tool, toolKind: kind, about: 'command', pattern }
    case 'read':
    case 'edit':
      return { kind: 'specifier', tool, toolKind: kind, about: 'path', pattern }
    case 'network':
      return { kind: 'specifier', tool, toolKind: kind, about: 'host', pattern }
    default:
      return throwInvalidPolicy(
        reasonOf('wrong.entry-kind', { entry: quoted, tool, right: `{ tool: ${tool}, arguments: … }` }),
        pointer,
      )
  }
}
