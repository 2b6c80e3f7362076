import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addTomlTable,
  readTomlText,
  removeFromToml,
  renameInToml,
  tomlTableText,
  tomlValueAt,
} from './toml-text.ts'

const OURS = ['hooks', 'state', '/home/ana/.codex/hooks.json:pre_tool_use:0:0']
const TRUST = { trusted_hash: 'sha256:12' }

const CONFIGURATION = `# mine
model = "o9"   # the good one
notify = [
  "say", # [hooks.state."no"]
  'done',
]
prompt = """
[hooks]
not = "a table" """

[hooks.state."/elsewhere:stop:0:0"]
trusted_hash = "sha256:99" # theirs

[[things]]
at = 2026-11-18T02:00:00Z
`

it('puts a table behind everything else and touches nothing of it', () => {
  const added = addTomlTable(CONFIGURATION, OURS, TRUST)
  expect(added).toBe(
    `${CONFIGURATION}\n[hooks.state."/home/ana/.codex/hooks.json:pre_tool_use:0:0"]\ntrusted_hash = "sha256:12"\n`,
  )
  expect(removeFromToml(added, OURS)).toBe(CONFIGURATION)
})

it.each<[string, string, string]>([
  ['', '', ''],
  ['a file without an end of its last line', 'a = 1', 'a = 1\n'],
  ['lines as Windows ends them', 'a = 1\r\n', 'a = 1\r\n'],
  ['a remark at the end', 'a = 1\n# the end\n', 'a = 1\n# the end\n'],
])('takes away again what it added: %s', (_, text, left) => {
  expect(removeFromToml(addTomlTable(text, OURS, TRUST), OURS)).toBe(left)
})

it('leaves what others wrote behind it, and their remarks in it', () => {
  const added = addTomlTable('a = 1\n', ['t'], { x: 'y' })
  const changed = `${added}# mine\n\n[projects."/srv"]\ntrust_level = "trusted"\n`
  expect(removeFromToml(changed, ['t'])).toBe('a = 1\n# mine\n\n[projects."/srv"]\ntrust_level = "trusted"\n')
})

it.each([
  ['an inline table', 'hooks = { state = {} }\n'],
  ['an inline table in a table', '[hooks]\nstate = { "x" = { trusted_hash = "1" } }\n'],
  ['a text', 'hooks = "no"\n'],
  ['what is no TOML', 'hooks = \n'],
])('refuses to add to %s', (_, text) => {
  expect(() => addTomlTable(text, OURS, TRUST)).toThrow(/isn't TOML|can't be changed/)
})

it.each([
  '[hooks.state]\n"a:stop:0:0" = { trusted_hash = "1" }\n"b" = { enabled = false }\n',
  '[hooks.state]\n"a:stop:0:0".trusted_hash = "1"\n"b" = { enabled = false }\n',
  '[hooks.state."a:stop:0:0"]\ntrusted_hash = "1"\n[hooks.state."b"]\nenabled = false\n',
  '[hooks]\n[hooks . state . \'a:stop:0:0\']\ntrusted_hash = "1"\n[hooks.state.b]\nenabled = false\n',
])('renames and removes in any form: %j', (text) => {
  const renamed = renameInToml(
    text,
    ['hooks', 'state'],
    new Map([
      ['a:stop:0:0', 'c'],
      ['b', 'a:stop:0:0'],
    ]),
  )
  expect(readTomlText(renamed)).toEqual({
    hooks: { state: { c: { trusted_hash: '1' }, 'a:stop:0:0': { enabled: false } } },
  })
  expect(readTomlText(removeFromToml(text, ['hooks', 'state', 'a:stop:0:0']))).toMatchObject({
    hooks: { state: { b: { enabled: false } } },
  })
})

it('refuses two of one name, and to rename inside of an inline table', () => {
  const two = '[s]\na = "1"\nb = "2"\n'
  expect(() => renameInToml(two, ['s'], new Map([['a', 'b']]))).toThrow('same name')
  expect(() => renameInToml('s = { a = "1" }\n', ['s'], new Map([['a', 'c']]))).toThrow("can't be changed")
})

it('gives the lines of a table', () => {
  expect(tomlTableText(CONFIGURATION, ['hooks', 'state', '/elsewhere:stop:0:0'])).toBe(
    '[hooks.state."/elsewhere:stop:0:0"]\ntrusted_hash = "sha256:99" # theirs\n',
  )
  expect(tomlTableText(CONFIGURATION, ['model'])).toBeUndefined()
})

const name = fc.oneof(
  fc.constantFrom('a', 'hooks', 'state', 'x-1', '1'),
  fc.string({ minLength: 1, maxLength: 6, unit: 'binary' }).filter((text) => text.isWellFormed()),
)
const value = fc.oneof(
  fc.constantFrom(
    '1',
    'true',
    '"a"',
    "'[x]'",
    '"""\n[no]\n"""',
    "'''\n# no\n'''",
    '[\n 1, # [no]\n 2,\n]',
    '{ a = 1, b = "]" }',
    '2026-11-18',
    '"\\u0041\\"#"',
    '[["a"], []]',
    'inf',
  ),
  fc
    .string({ unit: 'grapheme', maxLength: 8 })
    .map((text) => JSON.stringify(text).replaceAll('\x7f', '\\u007f')),
)
const blank = fc.constantFrom('', '\n', '# [hooks.state."x"]\n', '\n\n', '  \t\n')
const anyKey = name.map((text) =>
  /^[A-Za-z0-9_-]+$/.test(text) ? text : JSON.stringify(text).replaceAll('\x7f', '\\u007f'),
)
const line = fc.oneof(
  fc
    .tuple(anyKey, value, fc.constantFrom('', ' # why'))
    .map(([key, text, remark]) => `${key} = ${text}${remark}\n`),
  fc.tuple(anyKey, anyKey).map(([one, other]) => `[${one}.${other}]\n`),
  anyKey.map((key) => `[${key}]\n`),
  anyKey.map((key) => `[[${key}]]\n`),
  blank,
)
const anyFile = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([lines, isCut]) => (isCut ? lines.join('').replace(/\n$/, '') : lines.join('')))
  .filter((text) => {
    try {
      readTomlText(text)
      return true
    } catch {
      return false
    }
  })

it('adding then removing is the identity, and in between all else is as it was', () => {
  let tried = 0
  fc.assert(
    fc.property(anyFile, name, (text, key) => {
      const path = ['hooks', 'state', key]
      if (tomlValueAt(readTomlText(text), path) !== undefined) return
      let added: string
      try {
        added = addTomlTable(text, path, TRUST)
      } catch (error) {
        expect((error as Error).message).toContain("can't be changed")
        return
      }
      tried++
      expect(added.startsWith(text)).toBe(true)
      expect(tomlValueAt(readTomlText(added), path)).toEqual(TRUST)
      const left = removeFromToml(added, path)
      expect(left).toBe(text === '' || text.endsWith('\n') ? text : `${text}${left.slice(text.length)}`)
      expect(left.slice(text.length).trim()).toBe('')
      // Somebody else comes before and behind.
      const between = `# first\n${added}\n[behind]\nx = 1\n`
      if (Object.hasOwn(readTomlText(text), 'behind')) return
      expect(removeFromToml(between, path)).toBe(`# first\n${left}\n[behind]\nx = 1\n`)
    }),
    { numRuns: 500 },
  )
  expect(tried).toBeGreaterThan(200)
})
