/**
 * No message is made by looking at another one's words. Whoever compares, cuts or matches a sentence of ours has to write some of it
 * down: so no file of those that tell people something may have four words in a row of an English message, in a text or in a pattern.
 * Problems and warnings are about what pages, commands and cards have words of their own for: of those it is eight in a row.
 *
 * Whoever looks for a name or a value in a sentence writes none of it down: so no file asks a sentence what is in it either. Codes and
 * values say that. And what people meet has a reason: an error with one of their codes is no mere text.
 */
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/core/reasons/english/commands.ts'
import { FILES } from '../../src/core/reasons/english/files.ts'
import { GRANTS } from '../../src/core/reasons/english/grants.ts'
import { VERDICTS } from '../../src/core/reasons/english/verdicts.ts'
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

/** Every run of so many words. */
function runsOf(piece: string, length: number): string[] {
  const words = piece.split(/\s+/).filter((word) => word !== '')
  return words.slice(length - 1).map((_, at) => words.slice(at, at + length).join(' '))
}

/** Of what is said of calls. */
const SHORT = 4
/** Of all else. */
const LONG = 8

const RUNS = new Set([
  ...Object.values({ ...VERDICTS, ...COMMANDS, ...FILES, ...GRANTS }).flatMap((message) =>
    wordsOf(message).flatMap((piece) => runsOf(piece, SHORT)),
  ),
  ...Object.values(ENGLISH).flatMap((message) => wordsOf(message).flatMap((piece) => runsOf(piece, LONG))),
])

/** What a file says in texts and patterns: everything but its comments. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

function proseIn(text: string): string[] {
  const said = plain(withoutComments(text)).replaceAll(/["'`/^$()]+/g, ' ')
  return [...runsOf(said, SHORT), ...runsOf(said, LONG)].filter((run) => RUNS.has(run))
}

/** Where a sentence is asked what is in it, or compared with another. */
const ASKED = [
  /\b(?:because|detail)\??\.(?:includes|startsWith|endsWith|indexOf|match|search|replace|replaceAll|split)\(/g,
  /\.test\((?:\w+\.)*(?:because|detail)\)/g,
  /\bbecause [!=]== (?!undefined\b|')[\w.]+/g,
]

function askedIn(text: string): string[] {
  return ASKED.flatMap((pattern) => [...withoutComments(text).matchAll(pattern)].map(([found]) => found))
}

/** What people meet in the inbox, in Chat, in the terminal and in chats, whatever they do right. */
const MET =
  /new BanksmanError\(\s*'(?:not_yours|unknown_id|already_decided|already_running|expired|cancelled|not_pending|stale_action|digest_mismatch|uncover_first|approve_elsewhere|scope_not_allowed|decision_not_allowed|edit_denied|session_ended|unlinked_account|too_many_pending)'/g

describe('no message is made by matching prose', () => {
  const sources = [...productSources(), ...inboxSources()].filter(({ path }) =>
    /^(?:src\/(?:display|http|people|cli|client)|inbox\/src)\//.test(path),
  )

  it('no file has a sentence of the English messages in it', () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.flatMap(({ path, text }) => proseIn(text).map((run) => `${path}: ${run}`))
    expect(found.filter((line) => !ELSEWHERE.includes(line))).toEqual([])
  })

  it('no file asks a sentence what is in it, or compares two', () => {
    const everywhere = [...productSources(), ...inboxSources()].filter(
      ({ path }) => !/^src\/testing\//.test(path),
    )
    expect(everywhere.flatMap(({ path, text }) => askedIn(text).map((found) => `${path}: ${found}`))).toEqual(
      [],
    )
  })

  it('an error that people meet has a reason', () => {
    const found = productSources().flatMap(({ path, text }) => (text.match(MET) ?? []).map(() => path))
    expect(
      found.filter((path) => !FOR_PROGRAMS.includes(path) && !/fixtures|^src\/testing\//.test(path)),
    ).toEqual([])
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
    expect(proseIn("error.detail === 'you may see this request but not cancel it'")).not.toEqual([])
    expect(askedIn('rule === undefined || because.includes(rule)')).not.toEqual([])
    expect(askedIn('known.because === word.because')).not.toEqual([])
    expect(askedIn("result.because === 'aborted'")).toEqual([])
    expect("throw new BanksmanError(\n  'not_yours',\n  'no')").toMatch(MET)
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
  'src/cli/commands/requests/requests-approve.ts: is not offered on this request; it takes',
  'src/cli/commands/policy/policy-replay.ts: must be a whole number from 1 to',
  'src/http/doors/check-doors.ts: must be a whole number from 1 to',
  'src/http/to-wire/render-request.ts: the arguments were erased after their retention time',
]

/** Only a program that calls the API, a runner or one of our own parts can meet these. */
const FOR_PROGRAMS: readonly string[] = [
  'src/gateway/guarding/allowed-holds.ts',
  'src/gateway/lifecycle/claim.ts',
  'src/gateway/lifecycle/open-request.ts',
  'src/guard/create-held.ts',
  'src/http/doors/answer-door.ts',
  'src/http/routes/hooks/hooks.ts',
  'src/http/routes/record/journal.ts',
  'src/people/chats/handles.ts',
  // In the reader's language already.
  'src/people/react-plus/open-stream.ts',
]
