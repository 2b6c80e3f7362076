import { describe, expect, it } from 'vitest'
import {
  beginEdit,
  dropField,
  isChanged,
  isLarge,
  moveEdit,
  putField,
  readEdit,
  setField,
  shownIn,
  switchTo,
  writeField,
  writeJson,
} from './edit-draft.ts'

const before = { command: 'ls', count: 1, list: [1, 2, 3] }

describe('an edit in the making', () => {
  it('keeps what was typed while it can not be read, and says why', () => {
    const typed = writeField(beginEdit('d', before), '/count', 'integer', '1.')
    expect(readEdit(typed)).toMatchObject({ kind: 'wrong' })
    expect(shownIn(typed, '/count', 'integer', 1)).toBe('1.')
    expect(typed.value).toEqual(before)
    const mended = writeField(typed, '/count', 'integer', '12')
    expect(readEdit(mended)).toEqual({ kind: 'value', value: { ...before, count: 12 } })
    expect(readEdit(writeField(mended, '/count', 'integer', '1.5'))).toMatchObject({ kind: 'wrong' })
    expect(readEdit(writeField(mended, '/count', 'number', '"7"'))).toMatchObject({ kind: 'wrong' })
    expect(readEdit(writeField(mended, '/count', 'number', '12345678901234567890'))).toMatchObject({
      kind: 'wrong',
    })
  })

  it('does not switch while something can not be read, so that nothing is lost', () => {
    const typed = writeField(beginEdit('d', before), '/count', 'integer', '-')
    expect(switchTo(typed, 'json')).toBe(typed)
    const json = writeJson(switchTo(beginEdit('d', before), 'json'), '{ "command": ')
    expect(readEdit(json)).toMatchObject({ kind: 'wrong', line: 1 })
    expect(switchTo(json, 'form')).toBe(json)
    expect(isChanged(json)).toBe(true)
  })

  it('keeps the layout of JSON that says the same', () => {
    const text = '{"command":"pwd","count":1,"list":[1,2,3]}'
    const form = switchTo(writeJson(switchTo(beginEdit('d', before), 'json'), text), 'form')
    expect(form.value.command).toBe('pwd')
    expect(switchTo(form, 'json').json).toBe(text)
    expect(switchTo(setField(form, '/count', 2), 'json').json).toContain('"count": 2')
  })

  it('is large where reading it at every key would be felt, in a form and as JSON', () => {
    const small = beginEdit('d', before)
    expect(isLarge(small)).toBe(false)
    expect(isLarge(switchTo(small, 'json'))).toBe(false)
    const long = 'x'.repeat(20_001)
    expect(isLarge(setField(small, '/command', long))).toBe(true)
    expect(isLarge(writeField(small, '/count', 'integer', long))).toBe(true)
    expect(isLarge(writeJson(switchTo(small, 'json'), long))).toBe(true)
  })

  it('adds and takes away', () => {
    const more = putField(beginEdit('d', before), '/list/3', 0)
    expect(more.layout.list).toEqual([1, 2, 3, 0])
    const typed = writeField(more, '/list/3', 'number', 'x')
    expect(dropField(typed, '/list/0')).toMatchObject({ value: { list: [2, 3, 0] }, unread: new Map() })
    expect(isChanged(dropField(beginEdit('d', before), '/count'))).toBe(true)
    expect(isChanged(setField(setField(beginEdit('d', before), '/count', 2), '/count', 1))).toBe(false)
  })

  it('P3: moved to what is asked now it keeps what was written, and differs from that', () => {
    const mine = setField(beginEdit('d1', before), '/command', 'pwd')
    const moved = moveEdit(mine, 'd2', { ...before, command: 'pwd' })
    expect(moved).toMatchObject({ digest: 'd2', value: { command: 'pwd' } })
    expect(isChanged(moved)).toBe(false)
  })
})
