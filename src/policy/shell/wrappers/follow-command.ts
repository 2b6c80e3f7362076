/**
 * Follows a command through everything that it runs: a wrapper is put down first, then what it wraps, to the end of
 * the chain.
 */

import { spendSteps } from '../../steps.ts'
import { foundCommand, NONE, programText } from '../commands/found-command.ts'
import {
  type InnerCommand,
  type InnerDoubt,
  type InnerWords,
  UNKNOWN_WORDS,
} from '../commands/inner-command.ts'
import { nameProgram } from '../commands/program-name.ts'
import {
  inOwnShell,
  inside,
  type LineSpan,
  MAX_DEPTH,
  makeDoubt,
  putCommand,
  putDoubts,
  type Scope,
} from '../commands/scope.ts'
import { shortWords } from '../commands/short-words.ts'
import { runsOf } from '../options/option-runs.ts'
import { type Folder, type Folders, foldersAfter, staying } from '../paths/folder.ts'
import type { Doubt, ShellWord, Tie } from '../reading.ts'
import { interpreterDoubt } from './interpreters.ts'
import { lookAtBuiltin } from './look-at-builtin.ts'
import { lookThrough } from './look-through.ts'

export interface CommandInvocation {
  /** The program first. */
  readonly words: readonly ShellWord[]
  readonly span: LineSpan
  readonly redirections: readonly Tie[]
  /** What its words brought with them. */
  readonly doubts: readonly Doubt[]
  /** Whether the shell of the line runs it, and a `cd` would move that shell. */
  readonly inShell: boolean
}

/** Every wrapper of a chain has all words behind it, so a longer chain would cost its length squared. */
const MAX_CHAIN = 32

/** Of a long list only so many of the words behind the program are shown, and a hole for the rest. */
const TAIL = 16

export function followCommand(command: CommandInvocation, scope: Scope, folder: Folder): Folders {
  const words = shortWords(command.words, scope.most)
  const redirections = command.redirections.slice(0, scope.most)
  let link: ChainLink = { ...command, words, redirections, from: 0, folder, through: scope.through }
  for (let count = 0; count < MAX_CHAIN && scope.depth < MAX_DEPTH; count++) {
    const step = examine(link)
    putDown(link, step, scope)
    const [only] = step.inner
    if (step.inner.length !== 1 || only?.kind !== 'words') return finish(link, step, scope)
    link = next(link, step, only)
  }
  giveUp(link, scope)
  return staying(undefined)
}

/** One command of the chain: its words begin at `from`. */
interface ChainLink extends CommandInvocation {
  readonly from: number
  readonly folder: Folder
  readonly through: readonly string[]
}

interface ChainStep {
  readonly words: readonly ShellWord[]
  readonly program: string | undefined
  readonly transparent: boolean
  readonly inner: readonly InnerCommand[]
  readonly doubts: readonly Doubt[]
  readonly unsettles: boolean
}

function examine(link: ChainLink): ChainStep {
  const words = link.from === 0 ? link.words : link.words.slice(link.from)
  const [first] = words
  if (first === undefined)
    return { words, program: undefined, transparent: false, inner: NONE, doubts: NONE, unsettles: false }
  const { program, doubt } = nameProgram(first)
  if (program === undefined) {
    const doubts = [...link.doubts, ...toDoubts([doubt], words, program, link.span)]
    return { words, program, transparent: false, inner: NONE, doubts, unsettles: false }
  }
  // A wrapper, a builtin, the options and an interpreter are looked for among the words, one after the other.
  spendSteps(4 * words.length)
  const look = lookThrough(program, words, 0)
  const builtin = lookAtBuiltin(program, words)
  // A program that is no wrapper may still be told by an option to run another.
  const runs = runsOf(program, words.slice(1))
  const found = [
    doubt,
    ...look.doubts,
    ...builtin.doubts,
    ...runs.doubts,
    interpreterDoubt(program, words, 0),
  ]
  const more = builtin.inner.length + runs.inner.length > 0
  const inner = more ? [...look.inner, ...builtin.inner, ...runs.inner] : look.inner
  return {
    words,
    program,
    transparent: look.transparent && look.inner.length > 0,
    inner,
    doubts: [...link.doubts, ...toDoubts(found, words, program, link.span)],
    unsettles: builtin.unsettles,
  }
}

function putDown(link: ChainLink, step: ChainStep, scope: Scope): void {
  putDoubts(scope, step.doubts)
  const { through, redirections, span } = link
  const folder = scope.track.lost ? undefined : link.folder
  const { words, transparent } = step
  const doubts = step.doubts.length === 0 ? NONE : step.doubts
  putCommand(scope, foundCommand({ words, through, transparent, redirections, doubts, span, folder }))
}

function next(link: ChainLink, step: ChainStep, inner: InnerWords): ChainLink {
  return {
    ...link,
    words: inner.words,
    from: inner.from,
    inShell: link.inShell && inner.inShell,
    folder: inner.elsewhere ? undefined : link.folder,
    through: step.program === undefined ? link.through : [...link.through, step.program],
    doubts: NONE,
  }
}

function finish(link: ChainLink, step: ChainStep, scope: Scope): Folders {
  let folders = move(link, step, scope)
  for (const inner of step.inner) {
    const through = step.program === undefined ? link.through : [...link.through, step.program]
    const staysInShell = link.inShell && inner.kind !== 'anywhere' && inner.inShell
    const around = {
      ...inside(staysInShell ? scope : inOwnShell(scope), '', link.span),
      through,
      redirections: link.redirections,
    }
    if (inner.kind === 'anywhere') {
      putAnywhere(step.words, inner.from, link.span, around)
      continue
    }
    const folder = inner.elsewhere ? undefined : link.folder
    if (inner.kind === 'words') followCommand(wordsOf(next(link, step, inner)), around, folder)
    else {
      const after = scope.readers.readSource(inner.text, around, folder)
      if (staysInShell) folders = after
    }
  }
  return folders
}

function move(link: ChainLink, step: ChainStep, scope: Scope): Folders {
  if (!link.inShell) return staying(link.folder)
  if (step.unsettles) scope.track.lost = true
  const after = foldersAfter(step.program, step.words.slice(1), link.folder)
  if (after !== undefined) scope.track.moves++
  return after ?? staying(link.folder)
}

function wordsOf(link: ChainLink): ChainLink {
  return { ...link, words: link.words.slice(link.from), from: 0 }
}

function giveUp(link: ChainLink, scope: Scope): void {
  const words = link.words.slice(link.from)
  const text = programText(words[0], words[0]?.text ?? '', words.slice(1))
  putDoubts(scope, [makeDoubt('unknown wrapper', text, 'part.too-wrapped', link.span)])
  if (scope.depth >= MAX_DEPTH) return
  const around = { ...inside(scope, '', link.span), through: link.through, redirections: link.redirections }
  putAnywhere(words, 0, link.span, around)
}

/**
 * Where it isn't known which of the words is the program, every word that is no option is put down as if it were: a
 * deny then finds its program, and the doubt that goes with it keeps any allow from matching.
 */
function putAnywhere(words: readonly ShellWord[], from: number, span: LineSpan, scope: Scope): void {
  const short = words.length - from <= 4 * TAIL
  const read = new Set<string>()
  const put = new Set<string>()
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || word.value?.startsWith('-')) continue
    const shown = short ? words.slice(at) : words.slice(at, at + TAIL)
    if (at + shown.length < words.length) shown.push(UNKNOWN_WORDS)
    const { through, redirections } = scope
    spendSteps(shown.length)
    scope.budget.spend('words', shown.length)
    const command = foundCommand({
      words: shown,
      through,
      transparent: false,
      redirections,
      doubts: NONE,
      span,
      folder: undefined,
    })
    scope.budget.spend('written', command.text.length)
    // The same again says nothing new, and is how a line is made long.
    if (put.has(command.text)) continue
    put.add(command.text)
    putCommand(scope, command)
    if (/\s/.test(word.value ?? '')) readOnce(word.value ?? '', through)
    const { program } = nameProgram(word)
    if (program === undefined) continue
    for (const inner of [...lookThrough(program, shown, 0).inner, ...runsOf(program, shown.slice(1)).inner])
      if (inner.kind === 'script') readOnce(inner.text, [...through, program])
  }

  function readOnce(text: string, through: readonly string[]): void {
    if (read.has(text)) return
    read.add(text)
    scope.readers.readSource(text, { ...scope, through }, undefined)
  }
}

function toDoubts(
  found: readonly (InnerDoubt | undefined)[],
  words: readonly ShellWord[],
  program: string | undefined,
  span: LineSpan,
): Doubt[] {
  const doubts: Doubt[] = []
  for (const doubt of found) {
    if (doubt === undefined) continue
    const text = doubt.text ?? programText(words[0], program, words.slice(1))
    doubts.push(makeDoubt(doubt.kind, text, doubt.why, span))
  }
  return doubts
}
