/**
 * No message is made by looking at another one's words. Whoever compares, cuts or matches a sentence of ours has to write some of it
 * down: so no file of those that tell people something may have four words in a row of an English message, in a text or in a pattern.
 */
import { describe, expect, it } from 'vitest'
import { ENGLISH } from '../../src/core/reasons/english.ts'
import { CHINESE } from '../../src/display/reasons/chinese.ts'
import { inboxSources, productSources } from './source-files.ts'

/** Pieces of messages without their places, in words. */
function wordsOf(message: string): string[] {
  return message.split(/`?\{\w+\}`?/).map((piece) => plain(piece))
}

/** Without what is escaped in a pattern or a text. */
function plain(text: string): string {
  return text.replaceAll('\\', '').toLowerCase()
}

/** Every run of four words. */
function runsOf(piece: string): string[] {
  const words = piece.split(/\s+/).filter((word) => word !== '')
  return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '))
}

const RUNS = new Set(Object.values(ENGLISH).flatMap((message) => wordsOf(message).flatMap(runsOf)))

/** What a file says in texts and patterns: everything but its comments. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

function proseIn(text: string): string[] {
  return runsOf(plain(withoutComments(text)).replaceAll(/["'`/^$()]+/g, ' ')).filter((run) => RUNS.has(run))
}

describe('no message is made by matching prose', () => {
  const sources = [...productSources(), ...inboxSources()].filter(({ path }) =>
    /^(?:src\/(?:display|http|people|cli|client)|inbox\/src)\//.test(path),
  )

  it('no file has a sentence of the English messages in it', () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.flatMap(({ path, text }) => proseIn(text).map((run) => `${path}: ${run}`))
    expect(found.filter((line) => !ELSEWHERE.includes(line))).toEqual([])
  })

  it('messages are texts, in every language', () => {
    for (const messages of [ENGLISH, CHINESE])
      expect(Object.values(messages).filter((message) => typeof message !== 'string')).toEqual([])
  })

  it('goes red', () => {
    expect(proseIn("if (because.endsWith(' only reads, inside the workspace.')) return '只读'")).not.toEqual(
      [],
    )
    expect(proseIn('/^may print passwords, keys or tokens$/.test(because)')).not.toEqual([])
    expect(proseIn('/** It may print passwords, keys or tokens. */')).toEqual([])
  })
})

/** Words of their own that happen to be the same; nothing is compared with them. */
const ELSEWHERE: readonly string[] = [
  'src/cli/commands/grants/grants-list.ts: and what it starts',
  'src/display/words/earlier-call.ts: its outcome is unknown.',
  'src/display/words/rule-names.ts: be checked in advance',
  'src/http/from-wire/read-body.ts: a file that the',
  'inbox/src/decide/words/edit-words.ts: arguments are too large',
  'inbox/src/decide/words/edit-words.ts: too long to be',
  'inbox/src/pages/chat/words/english.ts: as soon as it',
  'inbox/src/pages/chat/words/english.ts: the mode of the',
  'inbox/src/words/shell-words.ts: in place of the',
]
