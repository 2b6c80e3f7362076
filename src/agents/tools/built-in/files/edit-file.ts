/** `edit_file`: one text put in the place of another. */
import { constants as fs } from 'node:fs'
import { z } from 'zod'
import { defineTool, type Tool, ToolError } from '../../tool.ts'
import { PATH } from './path-argument.ts'
import { utf8Text } from './text-of-bytes.ts'
import { openWorkspace, type WorkspaceEntry, type WorkspaceOptions } from './workspace.ts'
import { writeWhole } from './write-whole.ts'

const MAX_BYTES = 8 * 1024 * 1024

export function createEditFile(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Puts `newText` in the place of `oldText` in a text file of the workspace. `oldText` must be in the file exactly as given, with all spaces and line breaks, ' +
      'and only once: give enough of the lines around it, or set `replaceAll`.',
    schema: z.strictObject({
      path: PATH,
      oldText: z.string().min(1).describe('The text as it is in the file now.'),
      newText: z.string().describe('The text that is to be there. Empty to delete.'),
      replaceAll: z.boolean().optional().describe('All places, and not the only one.'),
    }),
    annotations: { destructiveHint: false, idempotentHint: false },
    async run({ path, oldText, newText, replaceAll = false }, { workspace: folder, signal }) {
      signal.throwIfAborted()
      if (oldText === newText)
        throw new ToolError('oldText and newText are the same: there is nothing to change')
      const workspace = await openWorkspace(folder, options)
      const held = await workspace.file(path)
      try {
        const text = await readText(held, path)
        const pieces = text.split(oldText)
        const places = pieces.length - 1
        if (places === 0) throw new ToolError(`oldText is not in ${path}: ${hint(text, oldText)}`)
        // Where it overlaps itself, it can't be told which place is meant either.
        const isUnique = text.indexOf(oldText, pieces[0]!.length + 1) === -1
        if (!isUnique && !replaceAll) {
          throw new ToolError(
            `oldText is in ${path} ${Math.max(places, 2)} times; give more of what is around the one you mean, or set replaceAll`,
          )
        }
        const { real } = await writeWhole(workspace, path, pieces.join(newText), held)
        const where = places === 1 ? `line ${pieces[0]!.split('\n').length}` : `${places} places`
        return { text: `changed ${workspace.nameOf(real)} (${where})` }
      } finally {
        await held.close()
      }
    },
  })
}

async function readText(held: WorkspaceEntry, path: string): Promise<string> {
  if (held.stats.size > MAX_BYTES) {
    throw new ToolError(`${path} has ${held.stats.size} bytes; at most ${MAX_BYTES} can be edited`)
  }
  const file = await held.reopen(fs.O_RDONLY | fs.O_NONBLOCK)
  try {
    const text = utf8Text(await file.readFile())
    if (text === undefined) throw new ToolError(`${path} is no UTF-8 text and can't be edited`)
    return text
  } finally {
    await file.close()
  }
}

/** The differences that models most often overlook. */
function hint(text: string, old: string): string {
  const bare = (value: string) => value.replace(/\r\n/g, '\n')
  if (bare(text).includes(bare(old))) return 'its line breaks differ (CR LF in one, LF in the other)'
  const loose = (value: string) => value.replace(/\s+/g, ' ').trim()
  if (loose(text).includes(loose(old)))
    return 'only spaces or line breaks differ; read the file and copy them'
  return 'read the file and copy the text from there'
}
