/** `banksman policy explain` */
import { resolve } from 'node:path'
import { isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseStrictJson } from '../../core/strict-json.ts'
import type { Verdict } from '../../core/verdict.ts'
import { emptyConfiguration, readConfiguration } from '../../server/configuration.ts'
import { explainCall } from '../../server/explain-call.ts'
import { userName } from '../../server/open-gateway.ts'
import { defineCommand, JSON_OPTION } from '../command.ts'
import { CONFIGURATION_NAME, configurationPath, readConfigurationText } from '../configuration-file.ts'
import { DATA_OPTION, dataFolderOf } from '../connect.ts'
import { CommandFailure, EXIT, usageError } from '../failures.ts'
import { rendered, safeJson } from '../safe-text.ts'
import type { Style } from '../terminal.ts'

const STYLES: Readonly<Record<Verdict['kind'], Style>> = { allow: 'green', ask: 'yellow', deny: 'red' }

export const policyExplain = defineCommand({
  about: `Says what would become of a tool call under a configuration file: allow, ask or deny, and because of what. Nobody
is asked, nothing is recorded and nothing runs. The exit code is 0 whatever the verdict is.

It judges by the file as it is now, trusted or not.`,
  positionals: [{ name: 'tool', required: true }],
  options: {
    arguments: { kind: 'text', value: 'JSON', about: "the call's arguments, as a JSON object" },
    command: { kind: 'text', value: 'TEXT', about: 'short for --arguments \'{"command": TEXT}\'' },
    cwd: {
      kind: 'text',
      value: 'FOLDER',
      about: 'the working folder of the call; the current one unless given',
    },
    file: { kind: 'text', value: 'FILE', about: `the configuration; ${CONFIGURATION_NAME} unless given` },
    ...JSON_OPTION,
    ...DATA_OPTION,
  },
  examples: [
    { line: 'banksman policy explain Bash --command "git status"', about: 'a shell command' },
    {
      line: `banksman policy explain write_file --arguments '{"path": "banksman.yaml"}'`,
      about: 'no policy lets an agent write its own policy',
    },
  ],
  async run({ values, positionals: [tool = ''] }, context) {
    const { terminal, cwd, environment } = context
    if (values.arguments !== undefined && values.command !== undefined) {
      throw usageError('give either --arguments or --command')
    }
    const args =
      values.command === undefined ? parseArguments(values.arguments ?? '{}') : { command: values.command }
    const file = configurationPath(values.file, context)
    const text = readConfigurationText(file)
    if (text === undefined && values.file !== undefined)
      throw new CommandFailure('ENOENT', `there is no ${file}`)
    const configuration =
      text === undefined ? emptyConfiguration(userName()) : readConfiguration(text, file, userName())
    if (text === undefined) terminal.note(`There is no ${file}; without one, everything is asked.`)
    const verdict = await explainCall(
      { tool, arguments: args, callId: 'explain', session: 'explain', cwd: resolve(cwd, values.cwd ?? '.') },
      {
        configuration,
        file,
        folder: dataFolderOf(values, context),
        environment,
        defaultAddress: `127.0.0.1:${environment.BANKSMAN_PORT || '4790'}`,
      },
    )
    if (values.json) terminal.print(safeJson(verdict, 2))
    else {
      terminal.print(`${terminal.paint(STYLES[verdict.kind], verdict.kind)}: ${rendered(verdict.because)}`)
      if (verdict.rule !== undefined) terminal.print(`by ${rendered(verdict.rule)}`)
    }
    return EXIT.done
  },
})

function parseArguments(text: string): JsonObject {
  let value: unknown
  try {
    value = parseStrictJson(text)
  } catch (error) {
    if (isBanksmanError(error)) throw usageError(`--arguments: ${error.message}`)
    throw error
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw usageError(`--arguments must be a JSON object, as in --arguments '{"path": "notes.txt"}'`)
}
