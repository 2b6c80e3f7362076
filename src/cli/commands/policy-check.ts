/** `banksman policy check` */
import { isBanksmanError } from '../../core/errors.ts'
import { compileConfigured, readConfiguration } from '../../server/configuration.ts'
import { userName } from '../../server/open-gateway.ts'
import { defineCommand, JSON_OPTION } from '../command.ts'
import { CONFIGURATION_NAME, configurationPath, readConfigurationText } from '../configuration-file.ts'
import { CommandFailure, EXIT } from '../failures.ts'
import { rendered, safeJson } from '../safe-text.ts'

export const policyCheck = defineCommand({
  about: `Checks a configuration file with the policy in it, and changes nothing. What is wrong is told with its line and
column, and the exit code is 1. What is right but probably not meant is told as a warning.

The file takes effect on a server once a person trusts it: see \`banksman trust\`.`,
  positionals: [{ name: 'file', required: false }],
  options: { ...JSON_OPTION },
  examples: [
    { line: 'banksman policy check', about: `checks ${CONFIGURATION_NAME} in the current folder` },
    { line: 'banksman policy check ops/banksman.yaml --json', about: 'another file, for programs' },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal } = context
    const file = configurationPath(named, context)
    const text = readConfigurationText(file)
    if (text === undefined) throw new CommandFailure('ENOENT', `there is no ${file}`)
    try {
      const configuration = readConfiguration(text, file, userName())
      const { warnings } = compileConfigured(configuration, {})
      if (values.json) terminal.print(safeJson({ ok: true, file, digest: configuration.digest, warnings }, 2))
      else {
        for (const warning of warnings)
          terminal.note(terminal.paint('yellow', `warning: ${rendered(warning)}`))
        terminal.print(
          `${file}: no mistakes${warnings.length === 0 ? '' : `, ${warnings.length} to look at`}`,
        )
      }
      return EXIT.done
    } catch (error) {
      if (!values.json || !isBanksmanError(error)) throw error
      const { code, message, details } = error
      terminal.print(safeJson({ ok: false, file, error: { code, message, ...details } }, 2))
      return EXIT.failed
    }
  },
})
