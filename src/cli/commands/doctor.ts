/** `banksman doctor` */

import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONFIG_OPTION, configurationPath } from '../connection/configuration-file.ts'
import { DATA_OPTION, dataFolderOf } from '../connection/connect.ts'
import { EXIT } from '../output/failures.ts'
import { printFindings } from '../output/findings-text.ts'
import { safeJson } from '../output/safe-text.ts'

export const doctor = defineCommand({
  about: `Checks an installation, and says what is wrong and what to do about it: the version of Node, the data folder and who can read it,
the store and the servers that share it, the configuration and whether it is trusted, the chats, coding sessions, connected coding agents and MCP servers, the server, the user
that agents run as, the disk and the clock. It changes nothing. The exit code is 1 if something is wrong, and 0 if there are
only warnings.`,
  options: {
    ...CONFIG_OPTION,
    ...JSON_OPTION,
    ...DATA_OPTION,
  },
  examples: [{ line: 'banksman doctor', about: 'the installation in the current folder' }],
  async run({ values }, context) {
    const { terminal, environment, cwd } = context
    const { inspectInstallation } = await import('../doctor/inspect-installation.ts')
    const findings = await inspectInstallation({
      folder: dataFolderOf(values, context),
      configuration: configurationPath(values.config, context),
      environment,
      cwd,
      async tokens() {
        const { createTokenLookUp, lookUpMcpTokens } = await import('../connect/look-up-tokens.ts')
        const lookUp = createTokenLookUp(
          { data: values.data, url: undefined, 'token-file': undefined },
          context,
        )
        return { lookUp, isKnown: await lookUpMcpTokens(lookUp, context) }
      },
    })
    const isSound = findings.every(({ kind }) => kind !== 'problem')
    if (values.json) terminal.print(safeJson({ ok: isSound, findings }, 2))
    else printFindings(findings, terminal)
    return isSound ? EXIT.done : EXIT.failed
  },
})
