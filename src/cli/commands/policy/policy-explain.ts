/** `banksman policy explain` */

import { resolve } from 'node:path'
import { defined } from '../../../core/defined.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import { MODES } from '../../../core/session.ts'
import {
  type Configuration,
  emptyConfiguration,
  readConfiguration,
} from '../../../server/configuration/configuration.ts'
import { userName } from '../../../server/host/user-name.ts'
import type { ServerFile } from '../../../server/installation/data-folder.ts'
import { findRunningServer } from '../../../server/installation/find-running-server.ts'
import { mainArgument } from '../../../server/policy/catalogue-tools.ts'
import { explainCall } from '../../../server/policy/explain-call.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import {
  CONFIG_OPTION,
  configurationPath,
  readConfigurationText,
} from '../../connection/configuration-file.ts'
import { DATA_OPTION, dataFolderOf } from '../../connection/connect.ts'
import { explanationText } from '../../output/explanation-text.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { safeJson } from '../../output/safe-text.ts'

export const policyExplain = defineCommand({
  about: `Says whether a tool call would be allowed, denied or need approval under a configuration file. The first line has the answer and the
reason. Below it are the rules that match, with their place in the file and the one that decided; for a shell line, also the verdict on
each command. Nobody is asked, nothing is recorded and nothing runs. The exit code is 0 whatever the answer is.

TEXT is the main argument of the tool: the command of a shell, the path for a tool that reads or edits files, the address for one that
uses the network. Other arguments go into --arguments.

It uses the file as it is now, trusted or not.`,
  positionals: [{ name: 'text', required: false }],
  options: {
    tool: { kind: 'text', value: 'NAME', about: 'the tool that is called (required)' },
    arguments: { kind: 'text', value: 'JSON', about: "the call's arguments, as a JSON object" },
    mode: { kind: 'text', value: 'MODE', about: `the session's mode: ${MODES.join(', ')}` },
    cwd: {
      kind: 'text',
      value: 'FOLDER',
      about: 'the working folder of the call (default: the current one)',
    },
    config: { ...CONFIG_OPTION.config, formerly: 'file' },
    ...JSON_OPTION,
    ...DATA_OPTION,
  },
  examples: [
    { line: "banksman policy explain 'git status; rm -rf /' --tool Bash", about: 'a shell line' },
    {
      line: 'banksman policy explain banksman.yaml --tool write_file',
      about: 'no policy lets an agent write its own policy',
    },
    {
      line: `banksman policy explain --tool deploy --arguments '{"environment": "production"}'`,
      about: 'any other tool',
    },
  ],
  async run({ values, positionals: [text] }, context) {
    const { terminal, cwd, environment } = context
    const { tool, mode } = values
    if (tool === undefined) {
      throw usageError("name the tool, as in: banksman policy explain 'git status' --tool Bash")
    }
    if (mode !== undefined && !MODES.some((known) => known === mode)) {
      throw usageError(`--mode must be one of ${MODES.join(', ')}`)
    }
    const file = configurationPath(values.config, context)
    const written = readConfigurationText(file)
    if (written === undefined && values.config !== undefined)
      throw new CommandFailure('ENOENT', `there is no ${file}`)
    const demonstration = findRunningServer(dataFolderOf(values, context))?.demonstration
    const configuration =
      written === undefined
        ? withoutFile(emptyConfiguration(userName(), file), demonstration)
        : readConfiguration(written, file, userName())
    if (written === undefined) {
      const meanwhile =
        demonstration === undefined
          ? 'without one, every call needs approval'
          : "the demonstration's policy is in force, and is explained here"
      terminal.note(`There is no ${file}: ${meanwhile}.`)
    }
    const args = parseArguments(values.arguments ?? '{}')
    if (text !== undefined) {
      const name = mainArgument(configuration, tool)
      if (name === undefined) {
        throw usageError(
          `the policy doesn't know which argument of ${tool} this is; write it as --arguments '{"…": …}'`,
        )
      }
      args[name] = text
    }
    const explanation = await explainCall(
      { tool, arguments: args, callId: 'explain', session: 'explain', cwd: resolve(cwd, values.cwd ?? '.') },
      {
        configuration,
        file,
        folder: dataFolderOf(values, context),
        environment,
        defaultAddress: `127.0.0.1:${environment.BANKSMAN_PORT || '4790'}`,
        ...defined({ mode }),
      },
    )
    if (values.json) terminal.print(safeJson(explanation, 2))
    else for (const line of explanationText(explanation, terminal.paint, cwd)) terminal.print(line)
    return EXIT.done
  },
})

/** What a server goes by that has no file: everything needs approval, unless it runs the demonstration. */
function withoutFile(empty: Configuration, demonstration: ServerFile['demonstration']): Configuration {
  if (demonstration === undefined) return empty
  const { policy, roots } = demonstration
  return { ...empty, policyBlock: policy, roots }
}

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
