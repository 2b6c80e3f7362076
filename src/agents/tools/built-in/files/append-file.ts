/** `append_file`: text at the end of a file. */
import { constants as fs } from 'node:fs'
import { z } from 'zod'
import { defineTool, type Tool, ToolError } from '../../tool.ts'
import { PATH } from './path-argument.ts'
import { openWorkspace, type WorkspaceOptions } from './workspace.ts'
import { writeWhole } from './write-whole.ts'

export function createAppendFile(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'append_file',
    description:
      'Adds text at the end of a file in the workspace, just as it is given: begin with a line break where one is needed. ' +
      'A file that is missing is made, with its folders.',
    schema: z.strictObject({ path: PATH, content: z.string().min(1).describe('The text to add.') }),
    annotations: { destructiveHint: false, idempotentHint: false },
    async run({ path, content }, { workspace: folder, signal }) {
      signal.throwIfAborted()
      const workspace = await openWorkspace(folder, options)
      const before = await workspace.find(path)
      const bytes = Buffer.byteLength(content)
      if (before === undefined) {
        const { real } = await writeWhole(workspace, path, content, undefined)
        return { text: `made ${workspace.nameOf(real)} (${bytes} bytes)` }
      }
      try {
        if (!before.stats.isFile())
          throw new ToolError(`${path} is there and is no file; choose another path`)
        // Its other names may be outside of the workspace.
        if (before.stats.nlink > 1) {
          throw new ToolError(`${path} has other names (hard links), which would change too; use write_file`)
        }
        const file = await before.reopen(fs.O_WRONLY | fs.O_APPEND | fs.O_NONBLOCK)
        try {
          await file.writeFile(content)
          await file.sync()
        } finally {
          await file.close()
        }
        const name = workspace.nameOf(before.real)
        return { text: `added ${bytes} bytes to ${name}, which now has ${before.stats.size + bytes}` }
      } catch (error) {
        if (error instanceof ToolError) throw error
        throw new ToolError(`${path} could not be written: ${(error as Error).message}`, { cause: error })
      } finally {
        await before.close()
      }
    },
  })
}
