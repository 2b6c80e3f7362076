/** The tools that every agent of ours can have, in the order in which models are told of them. */

import type { Tool } from '../tool.ts'
import { askUserQuestion } from './ask-user-question.ts'
import { createAppendFile } from './files/append-file.ts'
import { createEditFile } from './files/edit-file.ts'
import { createListDir } from './files/list-dir.ts'
import { createReadFile } from './files/read-file.ts'
import { createSearchFiles } from './files/search-files.ts'
import type { WorkspaceOptions } from './files/workspace.ts'
import { createWriteFile } from './files/write-file.ts'
import { createExec, type ExecOptions } from './processes/exec.ts'
import { spawn } from './spawn.ts'
import { type BuiltInToolName, TOOL_NAMES } from './tool-names.ts'
import { createFetchUrl, type FetchUrlOptions } from './web/fetch-url.ts'

/** The files' tools and `exec` work in the workspace that a call's context names. */
export interface BuiltInToolsOptions {
  /** The server's own addresses, as host:port. No tool reaches them, whatever names them. */
  own: FetchUrlOptions['own']
  /** The data folder and the configuration: no file tool reads, writes or lists them, wherever a link leads. */
  keepOut?: () => readonly string[]
  fetch?: Pick<FetchUrlOptions, 'allow' | 'lookup'>
  exec?: Pick<ExecOptions, 'environment'>
}

/** In the order of `TOOL_NAMES`. */
export function createBuiltInTools({ own, keepOut, fetch = {}, exec = {} }: BuiltInToolsOptions): Tool[] {
  const files: WorkspaceOptions = keepOut === undefined ? {} : { keepOut }
  const tools: Record<BuiltInToolName, Tool> = {
    read_file: createReadFile(files),
    list_dir: createListDir(files),
    search_files: createSearchFiles(files),
    write_file: createWriteFile(files),
    edit_file: createEditFile(files),
    append_file: createAppendFile(files),
    exec: createExec({ ...exec, ...files }),
    fetch_url: createFetchUrl({ ...fetch, own }),
    ask_user_question: askUserQuestion,
    spawn,
  }
  return TOOL_NAMES.map((name) => tools[name])
}
