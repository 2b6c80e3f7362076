import { expect, it } from 'vitest'
import { mcpChangeOf } from './mcp-change.ts'

const CHANGED = { code: 'ask.mcp-tool', values: { server: 'files', tool: 'read' } }

it('finds the change of an MCP server that a request is asked for, alone or beside another reason', () => {
  expect(mcpChangeOf(CHANGED)).toEqual({ server: 'files', tool: 'read' })
  const second = { code: 'ask.listed', values: { what: 'mcp__files__read' } }
  expect(mcpChangeOf({ code: 'ask.also', values: { first: CHANGED, second } })).toEqual({
    server: 'files',
    tool: 'read',
  })
  expect(mcpChangeOf({ code: 'ask.mcp-program', values: { server: 'files', program: 'npx' } })).toEqual({
    server: 'files',
  })
})

it('finds none in another reason', () => {
  expect(mcpChangeOf(undefined)).toBeUndefined()
  expect(mcpChangeOf({ code: 'ask.listed', values: { what: 'ask.mcp-tool' } })).toBeUndefined()
  expect(mcpChangeOf({ code: 'ask.mcp-tool' })).toBeUndefined()
})
