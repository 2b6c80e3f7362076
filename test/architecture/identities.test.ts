/** A channel hands on who acts as it got it. Nothing in `people/` puts an identity together, or changes one (P6). */
import { expect, it } from 'vitest'
import { lineAt, productSources, type SourceFile } from './source-files.ts'

const MAKES_ONE: readonly RegExp[] = [
  // The roles of a conversation's messages are others.
  /\brole\s*:(?!\s*'(?:system|user|assistant|tool)')/g,
  /[{,]\s*role\s*[,}]/g,
  /\.\.\.(?:\w+\.)*(?:actor|caller)\b/g,
  /\b(?:as|satisfies)\s+(?:Actor|DoorCaller)\b/g,
]

function identitiesIn({ path, text }: SourceFile): string[] {
  return MAKES_ONE.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => `${path}:${lineAt(text, index)}: ${found}`),
  )
}

it('P6: no channel makes an identity', () => {
  const channels = productSources().filter(({ path }) => path.startsWith('src/people/'))
  expect(channels.length).toBeGreaterThan(30)
  expect(channels.flatMap(identitiesIn)).toEqual([])
})

it.each([
  "const ana = { subject: 'ana', role: 'admin', via: 'slack' }",
  "const actor: Actor = { subject, role, via: 'slack' }",
  "const actor = { ...caller.actor, via: 'slack' }",
  'const caller = { ...caller, token: other }',
  'decide(id, input, found as Actor)',
])('this test goes red on %s', (text) => {
  expect(identitiesIn({ path: 'src/people/slack/a.ts', text })).not.toEqual([])
})

it('but not on the messages of a conversation', () => {
  expect(identitiesIn({ path: 'src/people/a.ts', text: "{ ...about, role: 'assistant', content }" })).toEqual(
    [],
  )
})
