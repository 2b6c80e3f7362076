import { describe, expect, it } from 'vitest'
import { renderCall } from '../render.ts'
import { maskArguments, maskedIn } from './mask.ts'
import { maskedValuesIn, maskLabel } from './mask-label.ts'
import { unmaskEdit } from './unmask-edit.ts'

const token = (letter: string) => `ghp_${letter.repeat(36)}`
const ARGS = {
  password: 'hunter2',
  first: token('a'),
  second: token('b'),
  dsn: 'postgres://app:hunter2@db/x',
}

describe('a mask in the language of its reader', () => {
  it('says what is hidden and why', () => {
    const shown = maskedIn(maskArguments(ARGS), 'zh').masks.map(({ text }) => text)
    expect(shown).toEqual([
      '⟨已遮盖：因名称“password”而隐藏，7 个字符⟩',
      '⟨已遮盖：GitHub 令牌，40 个字符⟩',
      '⟨已遮盖：GitHub 令牌 #2，40 个字符⟩',
      'postgres://app:⟨已遮盖：连接字符串中的密码，7 个字符⟩@db/x',
    ])
    expect(maskLabel({ kind: 'private key' }, 'zh')).toBe('私钥')
  })

  it('is the same notation for everybody in the arguments, and in the reader’s language where they are shown', () => {
    const { value, masks } = maskArguments(ARGS)
    expect(value.first).toBe('⟨masked: GitHub token, 40 characters⟩')
    const rendering = renderCall({ tool: 'deploy', arguments: ARGS }, { locale: 'zh' })
    expect(JSON.stringify([rendering.fields, rendering.blocks, rendering.summary])).not.toContain('masked: ')
    expect(rendering.fields.find(({ pointer }) => pointer === '/first')?.value.spans).toEqual([
      { kind: 'mask', text: '⟨已遮盖：GitHub 令牌，40 个字符⟩', name: 'GitHub 令牌' },
    ])
    const places = maskedValuesIn(masks, 'zh')
    expect(places.get('/dsn')!(String(value.dsn))).toBe(
      'postgres://app:⟨已遮盖：连接字符串中的密码，7 个字符⟩@db/x',
    )
  })

  it('P9: is never taken for a value when it is copied into an edit', () => {
    const { value } = maskArguments(ARGS)
    expect(unmaskEdit(value, ARGS)).toEqual(ARGS)
    const [copied] = maskedIn(maskArguments(ARGS), 'zh').masks
    expect(() => unmaskEdit({ ...value, note: copied!.text }, ARGS)).toThrow()
  })
})
