/** A server is started as the client would, asked for its tools, and ended. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeMcpPrograms } from './fixtures/mcp-programs.ts'
import { listTools } from './probe-mcp.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-probe-'))
const { server } = writeMcpPrograms(folder)
afterAll(() => rmSync(folder, { recursive: true }))

const list = (...words: string[]) =>
  listTools({ words: [process.execPath, server, ...words], environment: { A: 'b' }, folder })

describe('the tools of a server', () => {
  it('are of all pages, whatever else it prints and asks', async () => {
    expect(await list('works', 'x y')).toEqual(['first', 'with x y b'])
  })
  it('may be none', async () => {
    expect(await list('no-tools')).toEqual([])
  })
  it('are asked for in the newer form where the server knows no other', async () => {
    expect(await list('newer', 'x')).toEqual(['first', 'with x b'])
  })
  it('P5: a server that refuses both forms says why of the first', async () => {
    await expect(list('refuses')).rejects.toThrow('not initialize')
  })
  it('P5: a server that ends says why', async () => {
    await expect(list('fails')).rejects.toThrow(/ended with code 3 \(no database\)/)
  })
  it('P5: a program that is not there', async () => {
    await expect(listTools({ words: [join(folder, 'none')], environment: {}, folder })).rejects.toThrow(
      /can't be started/,
    )
  })
  it('P5: a server that never answers', async () => {
    const start = { words: [process.execPath, server, 'silent'], environment: {}, folder }
    await expect(listTools(start, 300)).rejects.toThrow(/didn't answer within 0\.3 s/)
  })
})
