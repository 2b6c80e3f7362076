/**
 * `exec`: a program with its arguments, or a shell line where one was asked for. The policy reads `command` alone as a shell
 * line and `command` with `arguments` word by word; what runs here is what it read.
 */
import { accessSync, constants as fs } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { defineTool, type Tool, ToolError, type ToolOutcome } from '../../tool.ts'
import { PATH } from '../files/path-argument.ts'
import { openWorkspace, type WorkspaceOptions } from '../files/workspace.ts'
import { type ProcessEnd, runProcess } from './run-process.ts'

export interface ExecOptions extends WorkspaceOptions {
  /** Where the few variables come from that a command gets. Absent: our own. */
  environment?: Readonly<Record<string, string | undefined>>
}

const DEFAULT_SECONDS = 60
const MAX_SECONDS = 600
const KEPT_BYTES = 64 * 1024
/** The longest single argument that Linux passes on. */
const MAX_WORD = 128 * 1024 - 1
/** Between asking to end and ending by force. */
const GRACE_MS = 2000

const word = z
  .string()
  .max(MAX_WORD)
  .refine((text) => !text.includes('\0'), 'it has no NUL character in it')

const execSchema = z.strictObject({
  command: word.min(1).describe('The program. With shell, the whole line.'),
  arguments: z
    .array(word)
    .max(4096)
    .optional()
    .describe('The program’s arguments, one each, without quoting. Not with shell.'),
  shell: z.boolean().optional().describe('Run `command` as a line of bash: pipes, redirections, &&.'),
  cwd: PATH.optional().describe('The folder to run in, in the workspace. Without it the workspace itself.'),
  timeoutSeconds: z.int().min(1).max(MAX_SECONDS).optional().describe('60 without it; at most 600.'),
  stdin: z
    .string()
    .max(512 * 1024)
    .optional()
    .describe('What it reads. Without it, nothing.'),
})

export function createExec({ environment = process.env, ...options }: ExecOptions = {}): Tool {
  return defineTool({
    name: 'exec',
    description:
      'Runs a program in the workspace and waits for its end. Give the program in `command` and its arguments in `arguments`; set `shell` for a shell line instead. ' +
      'It gets no terminal, few environment variables and 60 seconds; whatever it leaves running is ended. Of long output the beginning and the end are given.',
    schema: execSchema,
    annotations: { destructiveHint: true, openWorldHint: true },
    async run(args, context) {
      context.signal.throwIfAborted()
      const program = programOf(args, environment)
      const timeoutMs = (args.timeoutSeconds ?? DEFAULT_SECONDS) * 1000
      const folder = await (await openWorkspace(context.workspace, options)).folder(args.cwd ?? '.')
      try {
        const end = await runProcess({
          ...program,
          cwd: folder.through,
          environment: { ...minimalEnvironment(environment), PWD: folder.real },
          stdin: args.stdin,
          timeoutMs,
          graceMs: GRACE_MS,
          keptBytes: KEPT_BYTES,
          signal: context.signal,
        })
        return outcomeOf(end, args.command, timeoutMs)
      } finally {
        await folder.close()
      }
    },
  })
}

function programOf(
  { command, arguments: words, shell = false }: z.infer<typeof execSchema>,
  environment: NonNullable<ExecOptions['environment']>,
): { program: string; words: string[] } {
  if (shell) {
    if (words !== undefined) {
      throw new ToolError('a shell line has no arguments: put them in command, or leave shell out')
    }
    const bash = findProgram('bash', environment.PATH)
    // After -c a line that begins with a dash would be read as an option.
    if (bash !== undefined) return { program: bash, words: ['--noprofile', '--norc', '-c', '--', command] }
    return { program: '/bin/sh', words: ['-c', '--', command] }
  }
  if (words !== undefined) return { program: command, words }
  // Read as a line, anything else could name another program than the one that this would start.
  if (/^[\w./+@%,-]+$/.test(command)) return { program: command, words: [] }
  if (/\s/.test(command)) {
    const [first = '', ...rest] = command.trim().split(/\s+/)
    const suggestion = JSON.stringify({ command: first, arguments: rest.slice(0, 8) })
    throw new ToolError(
      `command names one program; put its arguments in arguments, as in ${suggestion}, or set shell for a shell line`,
    )
  }
  throw new ToolError(
    'command has characters that mean something to a shell; add "arguments": [] for a program of that name, or set shell for a shell line',
  )
}

/** Enough for programs to work; nothing that is ours, and no keys. */
const PASSED_ON = ['HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR']

function minimalEnvironment(from: NonNullable<ExecOptions['environment']>): Record<string, string> {
  const passed = PASSED_ON.flatMap((name): [string, string][] => {
    const value = from[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { PATH: searchPath(from.PATH).join(delimiter), TERM: 'dumb', ...Object.fromEntries(passed) }
}

/** Without entries that mean wherever the command runs: a file in the workspace must not stand in for a program. */
function searchPath(path = '/usr/local/bin:/usr/bin:/bin'): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

function findProgram(name: string, path: string | undefined): string | undefined {
  return searchPath(path)
    .map((folder) => join(folder, name))
    .find((candidate) => {
      try {
        accessSync(candidate, fs.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function outcomeOf(end: ProcessEnd, command: string, timeoutMs: number): ToolOutcome {
  const lines = [statusOf(end, command, timeoutMs)]
  if (end.stdout !== '') lines.push('stdout:', end.stdout.replace(/\n$/, ''))
  if (end.stderr !== '') lines.push('stderr:', end.stderr.replace(/\n$/, ''))
  if (end.kind === 'ended' && end.stdout === '' && end.stderr === '') lines.push('(no output)')
  const text = lines.join('\n')
  return end.kind === 'ended' && end.code === 0 ? { text } : { text, isError: true }
}

function statusOf(end: ProcessEnd, command: string, timeoutMs: number): string {
  switch (end.kind) {
    case 'ended':
      return end.signal === null ? `exit code ${end.code}` : `ended by ${end.signal}`
    case 'timed-out':
      return `ended after ${timeoutMs / 1000} s, its time limit, with all that it had started`
    case 'stopped':
      return 'stopped before its end, with all that it had started'
    case 'not-started':
      return `${JSON.stringify(command.slice(0, 200))} could not be started: ${end.because}`
  }
}
