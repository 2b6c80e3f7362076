/** `banksman mcp` where it is written wrongly. What it does is in `test/mcp`. */
import { afterAll, expect, it } from 'vitest'
import { makeCliFolder } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

const place = makeCliFolder()
afterAll(() => place.remove())
const run = (...args: string[]) => runInProcess(['mcp', ...args], place.folder, place.environment)

it.each([
  [[], /the command of the MCP server is missing/],
  [['--'], /the command of the MCP server is missing/],
  [['--name', 'files', '--'], /the command of the MCP server is missing/],
  [['--', 'npx', '-y'], /needs a name: give it with --name/],
  [['--url', 'files'], /"files" isn't the address of an MCP server/],
  [['--header', 'A: b', '--', 'files'], /--header is for a server at an address/],
])('%j: says what is wrong with it', async (args, words) => {
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(words) })
})
