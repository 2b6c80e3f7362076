/** `write_file`: a whole file, new or in another's place. */
import { z } from 'zod'
import { defineTool, type Tool, ToolError } from '../../tool.ts'
import { PATH } from './path-argument.ts'
import { openWorkspace, type WorkspaceOptions } from './workspace.ts'
import { writeWhole } from './write-whole.ts'

export function createWriteFile(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'write_file',
    description:
      'Writes a whole text file in the workspace. What was in it before is gone; folders that are missing are made. ' +
      'To change a part of a file, use edit_file.',
    schema: z.strictObject({
      path: PATH,
      content: z.string().describe('All of the text that the file is to have.'),
    }),
    annotations: { destructiveHint: false, idempotentHint: true },
    async run({ path, content }, { workspace: folder, signal }) {
      signal.throwIfAborted()
      const workspace = await openWorkspace(folder, options)
      const before = await workspace.find(path)
      try {
        if (before !== undefined && !before.stats.isFile()) {
          throw new ToolError(`${path} is there and is no file; choose another path`)
        }
        const { real } = await writeWhole(workspace, path, content, before)
        const verb = before === undefined ? 'made' : 'replaced'
        return { text: `${verb} ${workspace.nameOf(real)} (${Buffer.byteLength(content)} bytes)` }
      } finally {
        await before?.close()
      }
    },
  })
}
