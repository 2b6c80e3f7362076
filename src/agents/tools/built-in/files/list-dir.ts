/** `list_dir`: what is in a folder. */
import { z } from 'zod'
import { makeVisible } from '../../../../display/text/visible.ts'
import { defineTool, type Tool } from '../../tool.ts'
import { PATH } from './path-argument.ts'
import { walkFolder } from './walk-folder.ts'
import { openWorkspace, type WorkspaceOptions } from './workspace.ts'

const MAX_ENTRIES = 1000

export function createListDir(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'list_dir',
    description:
      'Lists what is in a folder of the workspace, one entry a line: folders end with /, links with @, and a file has its size in bytes behind it. ' +
      '`depth` also lists the folders in it, to that many levels (1 without it). At most 1000 entries are given.',
    schema: z.strictObject({
      path: PATH,
      depth: z.int().min(1).max(8).optional().describe('How many levels. 1 is the folder alone.'),
    }),
    annotations: { readOnlyHint: true },
    async run({ path, depth = 1 }, { workspace: root, signal }) {
      const workspace = await openWorkspace(root, options)
      const folder = await workspace.folder(path)
      const lines: string[] = []
      let isCut = false
      try {
        for await (const entry of walkFolder(workspace, folder, { depth, signal, sizes: true })) {
          if (lines.length === MAX_ENTRIES) {
            isCut = true
            break
          }
          lines.push(
            makeVisible(entry.name).text +
              MARKS[entry.kind] +
              (entry.kind === 'file' ? `  ${entry.size}` : ''),
          )
        }
      } finally {
        await folder.close()
      }
      if (lines.length === 0) return { text: `[${path} is empty]` }
      if (isCut) lines.push(`[only the first ${MAX_ENTRIES} entries; list a folder in it]`)
      return { text: lines.join('\n') }
    },
  })
}

const MARKS = { folder: '/', link: '@', file: '', other: '  (neither file nor folder)' } as const
