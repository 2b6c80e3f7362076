/** What a command is: how it is called, what its help says, and what it does. */
import type { ExitCode } from '../output/failures.ts'
import type { Terminal } from '../output/terminal.ts'
import type { OptionSpecs, PositionalSpec, ValuesOf } from './option-specs.ts'

export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly terminal: Terminal
}

export interface Input<O extends OptionSpecs> {
  readonly values: ValuesOf<O>
  readonly positionals: readonly string[]
}

export interface CommandDefinition<O extends OptionSpecs> {
  /** What it does and what to know before, in paragraphs for someone who has never used it. */
  about: string
  positionals?: readonly PositionalSpec[]
  options: O
  examples: readonly { line: string; about: string }[]
  run(input: Input<O>, context: Context): Promise<ExitCode>
}

/** A command whose options are no longer known by their types. */
export interface CliCommand extends Omit<CommandDefinition<OptionSpecs>, 'run'> {
  run(input: Input<OptionSpecs>, context: Context): Promise<ExitCode>
}

export function defineCommand<const O extends OptionSpecs>(definition: CommandDefinition<O>): CliCommand {
  const { run, ...rest } = definition
  return { ...rest, run: (input, context) => run(input as Input<O>, context) }
}

/** Programs read this. */
export const JSON_OPTION = {
  json: { kind: 'flag', about: 'print JSON, for programs' },
} as const satisfies OptionSpecs
