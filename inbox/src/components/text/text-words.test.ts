import { expect, it } from 'vitest'
import { maskArguments } from '../../../../src/display/index.ts'
import { maskLabel } from '../../../../src/display/masks/mask-label.ts'
import { TEXT_WORDS } from './text-words.ts'

const label = (args: Record<string, string>) => maskLabel(maskArguments(args).masks[0]!)
const both = (name: string) => [TEXT_WORDS.en.spans.mask(name), TEXT_WORDS.zh.spans.mask(name)]

it('explains every mask in both languages, by a name only where there is one', () => {
  expect(both(label({ password: 'hunter2' }))).toEqual([
    'hidden because of its name "password"',
    '因名称“password”而隐藏',
  ])
  expect(both(label({ dsn: 'postgres://app:hunter2@db/x' }))).toEqual([
    'password of a connection string',
    '连接字符串中的密码，已隐藏',
  ])
})
