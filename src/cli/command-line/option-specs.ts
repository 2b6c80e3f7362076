/** How a command's options are declared, and the values that come out of them. */

export type OptionSpec = FlagSpec | TextSpec

/** There or not there. */
export interface FlagSpec {
  kind: 'flag'
  about: string
}

/** Followed by a value. */
export interface TextSpec {
  kind: 'text'
  /** What stands for the value in the help, like `FILE`. */
  value: string
  about: string
  /** The only values that are taken. */
  oneOf?: readonly string[]
  /** May be given several times; its value is then one line for each. */
  repeats?: true
  /** What it was called before: still taken for a release, with a note, and not in the help. */
  formerly?: string
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>

export type ValuesOf<O extends OptionSpecs> = {
  readonly [Name in keyof O]: O[Name]['kind'] extends 'flag' ? boolean : string | undefined
}

export interface PositionalSpec {
  /** As in the help, like `id`. */
  name: string
  required: boolean
  /** The last one may be there several times. */
  several?: true
  /** All that follows `--`, as it is: the command line of another program. */
  rest?: true
}
