/** `banksman trust` */
import { digestOf } from '../../core/digest.ts'
import { messageOf } from '../../core/errors.ts'
import {
  type Configuration,
  compileConfigured,
  emptyConfiguration,
  readConfiguration,
} from '../../server/configuration/configuration.ts'
import {
  AT_NEXT_START,
  changedAtNextStart,
  describeNextStart,
  startedWith,
} from '../../server/configuration/configuration-changes.ts'
import { forgetTrusted, readTrusted, trustFolder, writeTrusted } from '../../server/configuration/trust.ts'
import { userName } from '../../server/host/user-name.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { checkPolicy } from '../../server/policy/check-policy.ts'
import { type Context, defineCommand, JSON_OPTION } from '../command-line/command.ts'
import {
  CONFIGURATION_NAME,
  configurationPath,
  readConfigurationText,
} from '../connection/configuration-file.ts'
import { connect, dataFolderOf } from '../connection/connect.ts'
import { differenceText, wholeText } from '../output/difference-text.ts'
import { CommandFailure, EXIT, usageError } from '../output/failures.ts'
import { rendered, safeJson, visible } from '../output/safe-text.ts'

export const trust = defineCommand({
  about: `Puts a configuration file in force. Agents may be able to write the file, so a new or changed text takes effect only after a
person has seen it and confirmed it here. Until then the text that was trusted last stays in force or, if there is none, every call
needs approval.

The changes are shown first; the first time, the whole file. Exactly the text that was shown is trusted. A server that runs on the data
folder has the new policy in force when this returns, any other within two seconds. Changes of these settings take effect at its next start:
${AT_NEXT_START.join(', ')}.

With --forget you revoke your trust: nothing in the file is in force any more.`,
  positionals: [{ name: 'file', required: false }],
  options: {
    yes: { kind: 'flag', about: 'trust the file without asking, and print the digest of the trusted text' },
    forget: { kind: 'flag', about: 'revoke trust in this file, even if it was deleted' },
    ...JSON_OPTION,
  },
  examples: [
    { line: 'banksman trust', about: `see what changed in ${CONFIGURATION_NAME}, and confirm it` },
    { line: 'banksman trust ops/banksman.yaml', about: 'another file' },
  ],
  async run({ values, positionals: [named] }, context) {
    const { terminal, environment } = context
    const { paint, columns } = terminal
    const file = configurationPath(named, context)
    if (values.forget) {
      const wasTrusted = forgetTrusted(trustFolder(environment), file)
      await untilFollowed(context)
      terminal.print(
        values.json
          ? safeJson({ file, forgotten: wasTrusted })
          : wasTrusted
            ? `no text of ${file} is trusted any more: every call needs approval`
            : `no text of ${file} was trusted`,
      )
      return EXIT.done
    }
    const text = readConfigurationText(file)
    if (text === undefined) {
      const known = readTrusted(trustFolder(environment), file)
      const hint =
        known === undefined
          ? ''
          : '; a text of it was trusted and stays in force: to remove it, give --forget'
      throw new CommandFailure('ENOENT', `there is no ${file}${hint}`)
    }
    // A file that can't hold must not be trusted: the mistake is told now, with its place.
    const configuration = readConfiguration(text, file, userName())
    const folder = trustFolder(environment)
    const before = readTrusted(folder, file)
    const digest = digestOf(text)
    if (before?.digest === digest) {
      terminal.print(values.json ? safeJson({ file, digest, changed: false }) : `${file} is already trusted`)
      return EXIT.done
    }
    if (!values.yes && !terminal.isInteractive) {
      throw usageError(
        'this needs a terminal to confirm at; or pass --yes to trust the file without confirmation',
      )
    }
    const shown =
      before === undefined ? wholeText(text, columns) : differenceText(before.text, text, { paint, columns })
    const since =
      before === undefined
        ? `${file} was never trusted. This is the whole file:`
        : `${file} has changed since ${visible(before.by)} trusted it on ${new Date(before.at).toISOString().slice(0, 10)}:`
    terminal.note([since, ...shown].join('\n'))
    const { warnings } = checkPolicy(configuration, compileConfigured(configuration, {}))
    for (const { message, line, column } of warnings) {
      const place = line === undefined ? '' : `${file}:${line}:${column}: `
      terminal.note(paint('yellow', `${place}warning: ${rendered(message)}`))
    }
    if (!values.yes) {
      const answer = await terminal.ask('\nTrust this? [y/N] ')
      if (!/^(y|yes)$/i.test(answer ?? '')) {
        throw new CommandFailure(
          'not_confirmed',
          `not trusted; ${before === undefined ? 'every call needs approval' : 'the text that was trusted last stays in force'}`,
        )
      }
    }
    writeTrusted(folder, file, text, userName(), Date.now())
    await untilFollowed(context)
    if (values.json) {
      terminal.print(safeJson({ file, digest, changed: true }))
      return EXIT.done
    }
    terminal.print(`${file} is trusted\ndigest ${digest}`)
    const later = changedAtNextStart(startedWith(configurationBefore(before?.text, file)), configuration)
    if (later.length > 0) terminal.print(describeNextStart(later))
    return EXIT.done
  },
})

/** Asked for its policy, a server looks at the trust again. One that can't be asked follows by itself. */
async function untilFollowed(context: Context): Promise<void> {
  const values = { url: undefined, data: undefined, 'token-file': undefined }
  if (findRunningServer(dataFolderOf(values, context)) === undefined) return
  try {
    await (await connect(values, context)).policy()
  } catch (error) {
    context.terminal.note(
      `the running server could not be asked (${messageOf(error)}); it follows within two seconds`,
    )
  }
}

/** What held until now; a text that an older version could read, and this one can't, held nothing. */
function configurationBefore(text: string | undefined, file: string): Configuration {
  try {
    return text === undefined
      ? emptyConfiguration(userName(), file)
      : readConfiguration(text, file, userName())
  } catch {
    return emptyConfiguration(userName(), file)
  }
}
