/** `banksman policy init` */
import { writeFileSync } from 'node:fs'
import { isMistake } from '../../../core/support/mistakes.ts'
import { nearestWord } from '../../../core/support/nearest-word.ts'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { topLevelKeys } from '../../../server/configuration/placed-document.ts'
import { POLICY_KEYS } from '../../../server/configuration/policy-source.ts'
import { replaceFile } from '../../../server/host/replace-file.ts'
import { userName } from '../../../server/host/user-name.ts'
import { type Context, defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import {
  CONFIGURATION_NAME,
  configurationPath,
  readConfigurationText,
} from '../../connection/configuration-file.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { safeJson } from '../../output/safe-text.ts'
import { type PolicyTemplate, readPolicyTemplates } from '../../policy-templates.ts'

export const policyInit = defineCommand({
  about: `Starts a policy from a ready-made one, with comments that explain it and tests that check it:

  coding-agent        reads a project, edits its sources, runs its checks
  read-only-analyst   reads files and a database, and changes nothing
  support-mailbox     reads mail and drafts answers; sending and refunds need approval
  two-person-deploys  deploys to production need two approvals

In a terminal it asks which one you want, unless --template names it. It writes ${CONFIGURATION_NAME}, or the file that you name. An
existing file is never overwritten: if it has none of the template's keys, the template is added at its end; otherwise the file stays as
it is. Nothing takes effect until you trust the file.`,
  positionals: [{ name: 'file', required: false }],
  options: {
    template: { kind: 'text', value: 'NAME', about: 'the ready-made policy to start from' },
    print: { kind: 'flag', about: 'print the policy, and write nothing' },
    force: { kind: 'flag', about: 'replace an existing file' },
    ...JSON_OPTION,
  },
  examples: [
    { line: 'banksman policy init', about: 'asks which one you need' },
    { line: 'banksman policy init --template coding-agent', about: `writes ${CONFIGURATION_NAME}` },
    { line: 'banksman policy init --template two-person-deploys --print', about: 'read it first' },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal } = context
    if (values.print && (values.force || named !== undefined || values.json))
      throw usageError('--print writes nothing: leave out the file, --force and --json')
    const templates = readPolicyTemplates()
    const template =
      values.template === undefined ? await choose(templates, context) : find(templates, values.template)
    if (values.print) {
      terminal.print(template.text.trimEnd())
      return EXIT.done
    }
    const file = configurationPath(named, context)
    const written = write(file, template, values.force)
    if (values.json) {
      terminal.print(safeJson({ ok: true, template: template.name, file, written }))
      return EXIT.done
    }
    terminal.print(
      written === 'added'
        ? `${template.name} was added to ${file}`
        : `${template.name} was written to ${file}`,
    )
    const argument = named === undefined ? '' : ` ${named}`
    const steps = [
      [`banksman policy check${argument}`, 'find mistakes, and run its tests'],
      [`banksman trust${argument}`, 'read it, and put it in force'],
      ['banksman start', 'start the server; a running one picks it up by itself'],
    ] as const
    const width = Math.max(...steps.map(([command]) => command.length))
    terminal.note('\nChange in it what does not fit: people, tools, folders, commands. Then:')
    for (const [command, about] of steps) terminal.note(`  ${command.padEnd(width)}  ${about}`)
    return EXIT.done
  },
})

function find(templates: readonly PolicyTemplate[], name: string): PolicyTemplate {
  const found = templates.find((one) => one.name === name)
  if (found !== undefined) return found
  const names = templates.map((one) => one.name)
  const near = nearestWord(name, names)
  throw usageError(
    `there is no template ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${near}?`} There are ${names.join(', ')}`,
  )
}

async function choose(templates: readonly PolicyTemplate[], { terminal }: Context): Promise<PolicyTemplate> {
  if (!terminal.isInteractive) {
    const names = templates.map(({ name }) => name).join(', ')
    throw usageError(`this needs a terminal to choose at; or name a template with --template: ${names}`)
  }
  const width = Math.max(...templates.map(({ name }) => name.length))
  for (const [index, { name, about }] of templates.entries()) {
    terminal.note(`  ${index + 1}  ${terminal.paint('bold', name.padEnd(width))}  ${about}`)
  }
  const answer = (await terminal.ask('\nWhich one? [number or name] ')) ?? ''
  if (answer === '') throw new CommandFailure('not_confirmed', 'nothing was written')
  return templates[Number(answer) - 1] ?? find(templates, answer)
}

/** Adds to a file that says nothing of what the template is about. What somebody wrote is never changed, unless by `force`. */
function write(file: string, { text }: PolicyTemplate, force: boolean): 'new' | 'added' | 'replaced' {
  const before = readConfigurationText(file)
  if (before === undefined || force) {
    if (before === undefined) writeFileSync(file, text, { flag: 'wx' })
    else replaceFile(file, text)
    return before === undefined ? 'new' : 'replaced'
  }
  const taken = takenKeys(before, text, file)
  if (taken.length > 0) {
    throw new CommandFailure(
      'EEXIST',
      `${file} has ${taken.map((key) => `${key}:`).join(', ')} already, and was not changed. Choose another file, pass --print to copy from it by hand, or --force to replace the file with the template`,
    )
  }
  const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${before.trim() === '' ? '' : '\n'}${text}`
  try {
    readConfiguration(before + added, file, userName())
  } catch (error) {
    if (!isMistake(error)) throw error
    throw new CommandFailure(
      'EEXIST',
      `the template can't be added to ${file}, which was not changed. The result would have a mistake: ${error.message.split('\n')[0]}`,
    )
  }
  replaceFile(file, before + added)
  return 'added'
}

/** The keys that both have. A file may have one policy, under whatever key. */
function takenKeys(before: string, text: string, file: string): string[] {
  const [own, wanted] = [topLevelKeys(before, file), topLevelKeys(text, file)]
  return own.filter((key) => wanted.includes(key) || POLICY_KEYS.includes(key))
}
