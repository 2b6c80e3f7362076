/** `banksman journal rotate-key` */
import { createConfigurationSource } from '../../../server/configuration/configuration-source.ts'
import { trustFolder } from '../../../server/configuration/trust.ts'
import { userName } from '../../../server/host/user-name.ts'
import { checkOwnFolder } from '../../../server/installation/check-own-folder.ts'
import { lockDataFolder } from '../../../server/installation/data-folder.ts'
import { checkKnownFolder } from '../../../server/installation/known-folder.ts'
import { rotateKey } from '../../../server/journal/rotate-key.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONFIG_OPTION, configurationPath } from '../../connection/configuration-file.ts'
import { DATA_OPTION, dataFolderOf } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson } from '../../output/safe-text.ts'

export const journalRotateKey = defineCommand({
  about: `Hands the signing of the journal's checkpoints over to a new key, for example because somebody may have read the old one. Stop the
server first. The old key signs the handover, which is added to the checkpoints; whoever keeps the first public key can follow to the new one. Whoever has
stolen the old key can still sign in its name what came before, so keep copies of checkpoints on another machine.`,
  options: { ...CONFIG_OPTION, ...JSON_OPTION, ...DATA_OPTION },
  examples: [{ line: 'banksman journal rotate-key', about: 'the key of the data folder .banksman' }],
  async run({ values }, context) {
    const { environment, terminal } = context
    const folder = dataFolderOf(values, context)
    checkOwnFolder(folder)
    checkKnownFolder(folder, environment)
    const file = configurationPath(values.config, context)
    const configuration = createConfigurationSource({
      file,
      trustFolder: trustFolder(environment),
      defaultOwner: userName(),
    })
    const { checkpointFile } = configuration.current()
    const lock = lockDataFolder(folder)
    try {
      const files = [folder.checkpoints, ...(checkpointFile === undefined ? [] : [checkpointFile])]
      const { from, to, publicKey } = rotateKey(folder, files, Date.now())
      terminal.print(
        values.json
          ? safeJson({ from, to, publicKey, files }, 2)
          : `the key ${from} has handed over to ${to}. Its public half, for whoever verifies elsewhere:\n${publicKey.trimEnd()}`,
      )
    } finally {
      lock.release()
    }
    return EXIT.done
  },
})
