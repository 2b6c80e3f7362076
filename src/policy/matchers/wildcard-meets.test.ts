import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wildcardMeets } from './wildcard-meets.ts'

it.each([
  ['*.pem', '**/*.pem', true],
  ['certs/*.p*', '**/*.pem', true],
  ['*', '**/*.pem', false],
  ['src/*.ts', '**/*.pem', false],
  ['src/*.ts', '**/.env', false],
  ['*', '**/.env', false],
  ['.*', '**/.env', true],
  ['.e*', '**/.env', true],
  ['.[e]nv', '**/.env', true],
  ['{.env,x}', '**/.env', true],
  ['id_*', '**/id_rsa', true],
  ['key.pem', '**/*.pem', false],
  ['*', './secrets/**', false],
  ['s*/x', './secrets/**', true],
  ['s?crets/x', './secrets', true],
  ['s*/*', './secrets/**', true],
  ['*/x', './secrets/**', true],
  ['src/*/index.ts', '**/.env', false],
  ['src/*/index.ts', '**/*.pem', false],
  ['src/*/index.ts', '**/.git/**', false],
  ['src/*/index.ts', '~/.config/gcloud/**', false],
  ['~/.s*/id_rsa', '~/.ssh/**', true],
  ['*/.env', '**/.env', true],
  ['*/id_rsa', '**/id_rsa', true],
  ['.gi?/hooks/x', '**/.git/**', true],
  ['c*', './ci/**', true],
])('%s and %s: %s', (word, pattern, expected) => {
  expect(wildcardMeets(word, pattern)).toBe(expected)
})

it('property: says yes wherever some name fits both', () => {
  const letters = fc.constantFrom('a', 'b', '.')
  const glob = fc
    .array(fc.oneof(letters, fc.constant('*')), { minLength: 1, maxLength: 6 })
    .map((all) => all.join(''))
  const name = fc.array(letters, { minLength: 1, maxLength: 6 }).map((all) => all.join(''))
  const fits = (pattern: string, text: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text)
  fc.assert(
    fc.property(glob, glob, name, (word, pattern, text) => {
      if (pattern === '.' || !word.includes('*') || /^\*+$/.test(word) || /^\*\*+$/.test(pattern)) return
      const shell = fits(word, text) && !(text.startsWith('.') && word.startsWith('*'))
      if (shell && fits(pattern, text)) expect(wildcardMeets(word, pattern)).toBe(true)
    }),
    { numRuns: 20_000 },
  )
})
