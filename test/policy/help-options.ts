/** Options as a program's own help tells them: `-o, --output=FILE`, `-X, --request <method>`, `--color[=WHEN]`. */

export interface ToldOption {
  readonly names: readonly string[]
  readonly takes: 'nothing' | 'value' | 'glued'
}

export function optionsToldBy(help: string): ToldOption[] {
  // In manuals written over (`-\b-x`) and at terminals nothing else than the text counts.
  return help
    .replaceAll(/.\x08/g, '')
    .split('\n')
    .flatMap((line) => {
      const head = /^(?:\s{1,12}|\t)(-{1,2}[\w[](?:,\s+|.)*?)(?:\s{2,}|\t|:$|: |$)/.exec(line)?.[1]
      return head === undefined ? [] : (optionIn(head) ?? [])
    })
}

function optionIn(head: string): ToldOption | undefined {
  const pieces = head.replaceAll('[no-]', '').split(/,\s+|\s+(?=-)|\s+or\s+(?=-)|,(?=-)|\/(?=-)/)
  const names: string[] = []
  let takes: ToldOption['takes'] = 'nothing'
  for (const piece of pieces) {
    const [, name, rest = ''] = /^(--?[A-Za-z0-9][\w.-]*)(.*)$/s.exec(piece) ?? []
    if (name === undefined) continue
    if (!/\.$/.test(name)) names.push(name)
    const told = takesIn(rest)
    // One of several that say so is enough: many say it of the long name only.
    if (told !== 'nothing' && takes !== 'glued') takes = told
  }
  return names.length === 0 ? undefined : { names: [...new Set(names)], takes }
}

function takesIn(rest: string): ToldOption['takes'] {
  if (/^=(?:false|true)\b/.test(rest)) return 'nothing'
  if (/^\[/.test(rest)) return 'glued'
  return /^(?:=|\s*<|\s+[^\s]+$)/.test(rest) ? 'value' : 'nothing'
}
