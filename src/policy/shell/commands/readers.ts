/**
 * The functions by which reading calls itself again: a script holds commands, a command holds words, and a word may hold
 * a script. They are made in one place, `read/read-shell.ts`, and every reader finds them in its scope.
 */

import type { Command, CommandNode, CompoundList, Script, Statement, Word, WordPart } from '../parse/parse.ts'
import type { Folder, Folders } from '../paths/folder.ts'
import type { Doubt, ShellWord } from '../reading.ts'
import type { LineSpan, Scope } from './scope.ts'
import type { WhyDoubted } from './why-doubted.ts'

export type Compound = Exclude<CommandNode, { type: 'Command' }>

export interface Readers {
  /** Reads a text that a shell is given. */
  readSource(text: string, scope: Scope, folder: Folder): Folders
  readStatements(statements: readonly Statement[], scope: Scope, folder: Folder): Folders
  readCommand(node: Command, scope: Scope, folder: Folder): Folders
  readCompound(node: Compound | CompoundList, scope: Scope, folder: Folder): Folders
  readWord(word: Word, scope: Scope, yielded: WordYield): ShellWord
  /** Reads parts of a here-document or of a pattern, whose value is of no interest. */
  readLooseParts(parts: readonly WordPart[], scope: Scope, yielded: WordYield): void
  /** Reads the scripts that words hold, each in a shell of its own, and records the doubts. */
  readYield(yielded: WordYield, scope: Scope, folder: Folder): void
  /** Records a doubt about a text that isn't read, and the programs that it might run. */
  giveUp(text: string, why: WhyDoubted, scope: Scope): Folders
}

/** What words hold besides their value: scripts that are run, and doubts. Both belong to the command with the words. */
export interface WordYield {
  readonly scripts: { script: Script; span: LineSpan }[]
  readonly doubts: Doubt[]
}
