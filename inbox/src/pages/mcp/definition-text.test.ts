import { expect, it } from 'vitest'
import { definitionText } from './definition-text.ts'

it('puts each member and each line of a description on a line of its own', () => {
  expect(definitionText(JSON.stringify({ description: 'Reads.\nNothing else.\n', name: 'read' }))).toBe(
    '{\n  "description": "Reads.\\n\nNothing else.\\n",\n  "name": "read"\n}',
  )
})

it('P9: a backslash before an n is no line break', () => {
  expect(definitionText('{"a":"C:\\\\new"}')).toBe('{\n  "a": "C:\\\\new"\n}')
})

it('leaves a text that is no JSON as it is', () => {
  expect(definitionText('{"a')).toBe('{"a')
})
