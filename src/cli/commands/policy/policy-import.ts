/** `banksman policy import` */

import { writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { isBanksmanError } from '../../../core/errors.ts'
import { mistakesOf } from '../../../core/support/mistakes.ts'
import { sayReason } from '../../../display/reasons/say-reason.ts'
import { DIALECTS, type Dialect } from '../../../policy/dialects/detect-dialect.ts'
import type { Note } from '../../../policy/dialects/imported.ts'
import type { PolicyBlock } from '../../../policy/language/language.ts'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { replaceFile } from '../../../server/host/replace-file.ts'
import { userName } from '../../../server/host/user-name.ts'
import { policyText } from '../../../server/policy/policy-text.ts'
import { readForeignPolicy } from '../../../server/policy/read-foreign-policy.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONFIGURATION_NAME } from '../../connection/configuration-file.ts'
import { readTextFile } from '../../connection/read-text-file.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { rendered, safeJson } from '../../output/safe-text.ts'
import type { Terminal, TextStyle } from '../../output/terminal.ts'

const PROGRAMS: Readonly<Record<Dialect, string>> = {
  librechat: 'LibreChat',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  opencode: 'opencode',
  'react-plus': 'ReAct-Plus',
}

export const policyImport = defineCommand({
  about: `Converts the permissions of another program into a policy: LibreChat's toolApproval, Claude Code's permissions,
Codex's *.rules, opencode's permission, or ReAct-Plus's toolApprovalMode. It prints the policy, or writes it with --write, and says what works differently here and what could not be
converted. The other program's file is not changed.

The result never allows more than the original: what can't be expressed in the same way needs approval or is denied.`,
  positionals: [{ name: 'file', required: true }],
  options: {
    from: {
      kind: 'text',
      value: 'PROGRAM',
      oneOf: DIALECTS,
      about: `the program that the file is for: ${DIALECTS.join(', ')} (default: found out from the file)`,
    },
    write: {
      kind: 'text',
      value: 'FILE',
      about: `write the policy to this file, such as ${CONFIGURATION_NAME}`,
    },
    force: { kind: 'flag', about: 'with --write: replace an existing file' },
    ...JSON_OPTION,
  },
  examples: [
    { line: 'banksman policy import .claude/settings.json', about: 'see the policy' },
    {
      line: `banksman policy import librechat.yaml --write ${CONFIGURATION_NAME}`,
      about: `write it to a new ${CONFIGURATION_NAME}`,
    },
  ],
  async run({ values, positionals: [named = ''] }, { terminal, cwd }) {
    if (values.force && values.write === undefined) throw usageError('--force needs --write FILE')
    const source = resolve(cwd, named)
    const imported = readForeignPolicy(readTextFile(source), named, values.from as Dialect | undefined)
    const { dialect, pointer, block, notes } = imported
    const words = `${basename(source)} (${PROGRAMS[dialect]})`
    const text = policyText(imported, words)
    checkReadable(text, source, imported.origins)
    const file = values.write === undefined ? undefined : resolve(cwd, values.write)
    if (file !== undefined) write(file, text, values.force)
    if (values.json) {
      terminal.print(safeJson({ ok: true, from: dialect, pointer, file, policy: block, notes }, 2))
      return EXIT.done
    }
    if (file === undefined) terminal.print(text.trimEnd())
    // Whoever has just seen them as comments needs them no second time.
    const isSeen = file === undefined && terminal.columns !== undefined
    tell(terminal, words, block, isSeen ? [] : notes)
    if (file !== undefined) terminal.note(`Written to ${file}. Check it with \`banksman policy check\`.`)
    return EXIT.done
  },
})

/** What is handed over can be read: an entry that ours refuses is told by where it comes from. */
function checkReadable(text: string, source: string, origins: Readonly<Record<string, string>>): void {
  try {
    readConfiguration(text, 'the policy', userName())
  } catch (error) {
    if (!isBanksmanError(error, 'invalid_policy')) throw error
    const lines = mistakesOf(error).map(({ pointer, message }) => {
      const from = Object.hasOwn(origins, String(pointer)) ? ` at ${origins[String(pointer)]}` : ''
      return `${source}${from}: ${message}`
    })
    throw new CommandFailure('invalid_policy', lines.join('\n'))
  }
}

function write(file: string, text: string, force: boolean): void {
  try {
    if (force) replaceFile(file, text)
    else writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandFailure(
      'EEXIST',
      `${file} exists and was not changed. Choose another name, or pass --force to replace it`,
    )
  }
}

const STYLES: Readonly<Record<Note['effect'], TextStyle>> = {
  dropped: 'red',
  stricter: 'yellow',
  changed: 'cyan',
}

function tell(
  { note, paint, locale }: Terminal,
  words: string,
  block: PolicyBlock,
  notes: readonly Note[],
): void {
  const counts = (['deny', 'ask', 'allow', 'rules'] as const).flatMap((key) => {
    const count = block[key]?.length ?? 0
    return count === 0 ? [] : [`${count} in ${key}`]
  })
  const carried = [`mode ${block.mode ?? 'default'}`, ...counts].join(', ')
  note(`\n${rendered(words)} becomes: ${carried}.`)
  if (notes.length === 0) return
  note(notes.length === 1 ? 'One thing is different:' : `${notes.length} things are different:`)
  for (const { pointer, effect, about, reason } of notes) {
    const said = sayReason({ because: about, reason }, locale)
    note(`  ${paint(STYLES[effect], effect)} ${rendered(pointer || '/')}: ${rendered(said)}`)
  }
}
