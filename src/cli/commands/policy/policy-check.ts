/** `banksman policy check` */
import { defined } from '../../../core/defined.ts'
import { isBanksmanError } from '../../../core/errors.ts'
import { type Mistake, mistakesOf, reasonOfMistake } from '../../../core/support/mistakes.ts'
import { sayReason } from '../../../display/reasons/say-reason.ts'
import type { TestResult } from '../../../policy/run-policy-tests.ts'
import {
  type Configuration,
  compileConfigured,
  readConfiguration,
} from '../../../server/configuration/configuration.ts'
import { checkOwnAddress } from '../../../server/configuration/proxy-configuration.ts'
import { userName } from '../../../server/host/user-name.ts'
import { checkPolicy, type PlacedWarning } from '../../../server/policy/check-policy.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import {
  CONFIGURATION_NAME,
  configurationPath,
  readConfigurationText,
} from '../../connection/configuration-file.ts'
import { defaultServerAddress } from '../../connection/server-address.ts'
import { CommandFailure, EXIT } from '../../output/failures.ts'
import { rendered, safeJson } from '../../output/safe-text.ts'
import type { Terminal } from '../../output/terminal.ts'

export const policyCheck = defineCommand({
  about: `Checks a configuration file and the policy in it, and runs the policy's own \`tests:\`. It changes nothing.

Errors make the file unusable. All of them are listed, each with its line and column.

Warnings point at what is valid but probably not intended: a rule that can never match or that a stricter one covers; a value
that escapes a rule because of its case or because it can be left out; approvers who aren't listed under people:, groups without members, a
quorum that too few people can meet; names that no known tool has. People who only have a token are not known here.

The exit code is 1 if there is an error or a test fails, otherwise 0, even with warnings. Errors, warnings and failed tests go to standard
error; the last line, or with --json everything, goes to standard output.

The file takes effect on a server after a person trusts it: see \`banksman trust\`.`,
  positionals: [{ name: 'file', required: false }],
  options: { ...JSON_OPTION },
  examples: [
    { line: 'banksman policy check', about: `checks ${CONFIGURATION_NAME} in the current folder` },
    { line: 'banksman policy check ops/banksman.yaml --json', about: 'another file, for programs' },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal, environment } = context
    const file = configurationPath(named, context)
    const text = readConfigurationText(file)
    if (text === undefined) throw new CommandFailure('ENOENT', `there is no ${file}`)
    try {
      const configuration = readConfiguration(text, file, userName())
      checkOwnAddress(configuration.proxy.listen, defaultServerAddress(environment), configuration.locate)
      const { warnings, tests } = checkPolicy(configuration, compileConfigured(configuration, {}))
      const failed = tests.filter(({ passed }) => !passed)
      const ok = failed.length === 0
      if (values.json) {
        terminal.print(safeJson({ ok, file, digest: configuration.digest, warnings, tests }, 2))
      } else tell(terminal, file, warnings, tests, configuration)
      return ok ? EXIT.done : EXIT.failed
    } catch (error) {
      if (!isBanksmanError(error)) throw error
      const { code, message, details } = error
      const { mistakes: _, ...first } = details
      const errors = mistakesOf(error)
      if (values.json) {
        terminal.print(safeJson({ ok: false, file, error: { code, message, ...first }, errors }, 2))
      } else tellMistakes(terminal, file, errors)
      return EXIT.failed
    }
  },
})

function tellMistakes(terminal: Terminal, file: string, mistakes: readonly Mistake[]): void {
  for (const mistake of mistakes) {
    const { line, column, message: because } = mistake
    const message = sayReason({ because, reason: reasonOfMistake(mistake) }, terminal.locale)
    const place = line === undefined ? file : `${file}:${line}:${column}`
    terminal.note(terminal.paint('red', `${place}: error: ${rendered(message)}`))
  }
  terminal.note(`${file}: ${mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`}`)
}

function tell(
  terminal: Terminal,
  file: string,
  warnings: readonly PlacedWarning[],
  tests: readonly TestResult[],
  configuration: Configuration,
): void {
  const at = (pointer: string) => {
    const place = configuration.locate(pointer)
    return place === undefined ? file : `${file}:${place.line}:${place.column}`
  }
  for (const { message, reason, pointer } of warnings) {
    const said = sayReason({ because: message, ...defined({ reason }) }, terminal.locale)
    terminal.note(terminal.paint('yellow', `${at(pointer)}: warning: ${rendered(said)}`))
  }
  const failed = tests.filter(({ passed }) => !passed)
  for (const { pointer, tool, expected, found } of failed) {
    const wanted = expected.rule === undefined ? expected.verdict : `${expected.verdict} by ${expected.rule}`
    const because = `${tool} should be ${wanted} but is ${found.verdict}. ${found.because}`
    terminal.note(terminal.paint('red', `${at(pointer)}: test failed: ${rendered(because)}`))
  }
  const parts = [
    failed.length === 0
      ? 'no mistakes'
      : `${failed.length} of ${tests.length} ${tests.length === 1 ? 'test' : 'tests'} failed`,
    ...(failed.length === 0 && tests.length > 0
      ? [`${tests.length} ${tests.length === 1 ? 'test' : 'tests'} passed`]
      : []),
    ...(warnings.length === 0
      ? []
      : [`${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`]),
  ]
  terminal.print(`${file}: ${parts.join(', ')}`)
}
