import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMcpServerName, mcpNameParts, mcpToolName } from './mcp-names.ts'

describe('names of MCP tools', () => {
  it('P5: no two servers have a tool of the same name, whatever their tools are called', () => {
    const parts = fc.array(fc.constantFrom('a', 'b', '_', '__', '-', '.'), { maxLength: 10 })
    fc.assert(
      fc.property(parts, (words) => {
        const name = words.join('')
        // Every way to read it as a server and its tool.
        const servers = [...name].flatMap((_, at) => (name.startsWith('__', at) ? [name.slice(0, at)] : []))
        const real = servers.filter(isMcpServerName)
        expect(real.length).toBeLessThanOrEqual(1)
        for (const server of real)
          expect(mcpToolName(server, name.slice(server.length + 2))).toBe(`mcp__${name}`)
      }),
    )
  })

  it.each(['', 'a__b', '_a', 'a_', 'a b', 'a/b', 'a\n', 'ä', '../a', 'a'.repeat(65)])(
    '%j is no name of a server',
    (name) => expect(isMcpServerName(name)).toBe(false),
  )

  it('are taken apart where they are plain, and not where a tool is called like words of ours', () => {
    expect(mcpNameParts('mcp__a__b__c')).toEqual({ server: 'a', tool: 'b__c' })
    expect(mcpNameParts('mcp__a__read of b (MCP)')).toBeUndefined()
    expect(mcpNameParts('read')).toBeUndefined()
  })
})
