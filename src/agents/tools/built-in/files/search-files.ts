/** `search_files`: lines with a given text in them, or files with a given name. */
import { constants as fs } from 'node:fs'
import { z } from 'zod'
import { makeVisible } from '../../../../display/text/visible.ts'
import { defineTool, type Tool, ToolError } from '../../tool.ts'
import { compileFileGlob } from './file-glob.ts'
import { PATH } from './path-argument.ts'
import { utf8Text } from './text-of-bytes.ts'
import { type FolderEntry, walkFolder } from './walk-folder.ts'
import { openWorkspace, type WorkspaceOptions } from './workspace.ts'

const MAX_LINES = 500
const MAX_SHOWN_LINE = 300
const MAX_FILES = 50_000
/** Larger ones are hardly ever written by hand. */
const MAX_FILE_BYTES = 8 * 1024 * 1024
const MAX_TOTAL_BYTES = 512 * 1024 * 1024
const MAX_DEPTH = 40
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules'])

export function createSearchFiles(options: WorkspaceOptions = {}): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Finds the lines that have `pattern` in them, in the text files below a folder of the workspace, as path:line: text. The pattern is literal text, not a regular expression. ' +
      '`glob` chooses the files, as in *.ts or src/**/*.{js,ts}. Without `pattern` it lists the files that fit the glob. ' +
      'Folders .git and node_modules, binary files and links are left out; at most 500 lines are given.',
    schema: z
      .strictObject({
        path: PATH.optional().describe('The folder to search. Without it the whole workspace.'),
        pattern: z.string().min(1).max(1000).optional().describe('What a line must have in it, literally.'),
        glob: z.string().min(1).max(256).optional().describe('Which files: *, ?, ** and {a,b}.'),
        ignoreCase: z.boolean().optional().describe('Upper and lower case are the same.'),
      })
      .refine(
        ({ pattern, glob }) => pattern !== undefined || glob !== undefined,
        'give pattern, glob, or both',
      ),
    annotations: { readOnlyHint: true },
    async run({ path = '.', pattern, glob, ignoreCase = false }, { workspace: root, signal }) {
      if (pattern?.includes('\n'))
        throw new ToolError('pattern is looked for within lines: it has no line break in it')
      const fits = glob === undefined ? () => true : compileFileGlob(glob)
      const hits = pattern === undefined ? undefined : lineFinder(pattern, ignoreCase)
      const workspace = await openWorkspace(root, options)
      const folder = await workspace.folder(path)
      const search = { lines: [] as string[], files: 0, bytes: 0, cut: undefined as string | undefined }
      const prefix = folder.real === workspace.root ? '' : `${workspace.nameOf(folder.real)}/`
      try {
        for await (const entry of walkFolder(workspace, folder, {
          depth: MAX_DEPTH,
          signal,
          skip: SKIPPED,
        })) {
          if (entry.kind !== 'file' || !fits(entry.name)) continue
          if (search.lines.length >= MAX_LINES) search.cut = `only the first ${MAX_LINES} lines`
          else if (++search.files > MAX_FILES) search.cut = `only the first ${MAX_FILES} files were looked at`
          else if (search.bytes > MAX_TOTAL_BYTES) search.cut = 'too much text to look at all of it'
          if (search.cut !== undefined) break
          const name = makeVisible(prefix + entry.name).text
          if (hits === undefined) {
            search.lines.push(name)
            continue
          }
          const content = await readText(entry)
          if (content === undefined) continue
          search.bytes += content.length
          for (const { number, line } of hits(content, MAX_LINES - search.lines.length)) {
            search.lines.push(`${name}:${number}: ${shortened(line)}`)
          }
        }
      } finally {
        await folder.close()
      }
      if (search.cut !== undefined) search.lines.push(`[${search.cut}; search a smaller part]`)
      return { text: search.lines.join('\n') || '[nothing found]' }
    },
  })
}

/** Undefined where it is binary, too large, or gone. */
async function readText(entry: FolderEntry): Promise<string | undefined> {
  const held = await entry.hold()
  if (held === undefined) return undefined
  try {
    if (!held.stats.isFile() || held.stats.size > MAX_FILE_BYTES) return undefined
    const file = await held.reopen(fs.O_RDONLY | fs.O_NONBLOCK)
    try {
      const bytes = await file.readFile()
      return bytes.subarray(0, 8192).includes(0) ? undefined : utf8Text(bytes)
    } finally {
      await file.close()
    }
  } catch {
    // No permission, or gone meanwhile: one file must not end the search.
    return undefined
  } finally {
    await held.close()
  }
}

function lineFinder(
  wanted: string,
  ignoreCase: boolean,
): (content: string, most: number) => { number: number; line: string }[] {
  const folded = ignoreCase ? wanted.toLowerCase() : wanted
  return (content, most) => {
    const found: { number: number; line: string }[] = []
    // Most files have none, which is seen without cutting them up.
    if (!ignoreCase && !content.includes(wanted)) return found
    for (const [index, line] of content.split('\n').entries()) {
      if (found.length >= most) break
      if ((ignoreCase ? line.toLowerCase() : line).includes(folded)) {
        found.push({ number: index + 1, line: line.replace(/\r$/, '') })
      }
    }
    return found
  }
}

function shortened(line: string): string {
  if (line.length <= MAX_SHOWN_LINE) return line
  return `${line.slice(0, MAX_SHOWN_LINE).toWellFormed()} [… ${line.length - MAX_SHOWN_LINE} more characters]`
}
