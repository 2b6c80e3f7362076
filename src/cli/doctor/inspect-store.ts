/** What `doctor` finds of the store that the next start would open, and of the servers that share it. */
import { existsSync, statSync } from 'node:fs'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { inspectSharedStore } from '../../server/background/inspect-shared-store.ts'
import { createConfigurationSource } from '../../server/configuration/configuration-source.ts'
import { trustFolder } from '../../server/configuration/trust.ts'
import { userName } from '../../server/host/user-name.ts'
import { chooseStore, readStoreRecord } from '../../server/installation/choose-store.ts'
import type { DataFolder } from '../../server/installation/data-folder.ts'
import { findRunningServer } from '../../server/installation/find-running-server.ts'
import { findShorterChains } from '../../server/installation/store-mark.ts'
import { checkDatabase, readFarness } from '../../server/stores/check-database.ts'
import { describeStore, isShared, type StorePlace } from '../../server/stores/store-place.ts'
import { VERSION } from '../../server/version.ts'
import type { InspectedInstallation } from './inspect-installation.ts'

const { ok, warning, problem } = findingsAbout('store')

export async function inspectStore(installation: InspectedInstallation): Promise<Finding[]> {
  const { folder, environment } = installation
  const place = placeOf(installation)
  const at = describeStore(place)
  const record = readStoreRecord(folder)
  const last = record?.at ?? (existsSync(folder.database) ? `sqlite:${folder.database}` : at)
  const detail = `the last start on this data folder opened ${last}; the next one here would open ${at}`
  const isForgotten = /^(postgres|rediss?):/.test(last) && !isShared(place) && !environment.BANKSMAN_STORE
  const findings = await findingsOf(place, folder, last === at)
  if (last === at) return findings
  if (!isForgotten) {
    const advice = 'if that is not intended, set BANKSMAN_STORE or store: as the server has it'
    return [warning(detail, advice), ...findings]
  }
  const advice =
    record?.given === undefined
      ? 'set BANKSMAN_STORE here as the server has it, and run doctor again'
      : 'set BANKSMAN_STORE or store: to what --store named at that start, and run doctor again'
  return [problem(`${detail}, which doesn't have the pending requests of the other`, advice), ...findings]
}

function placeOf({ folder, configuration: file, environment, cwd }: InspectedInstallation): StorePlace {
  const trusted = trustFolder(environment)
  const configuration = createConfigurationSource({ file, trustFolder: trusted, defaultOwner: userName() })
  return chooseStore({ environment, configuration, file, folder, cwd }).place
}

async function findingsOf(place: StorePlace, folder: DataFolder, isOpened: boolean): Promise<Finding[]> {
  switch (place.kind) {
    case 'memory':
      return [
        warning(
          'memory: keeps everything in the server’s memory, and loses it when the server stops',
          'use another store if anything must be kept',
        ),
      ]
    case 'sqlite': {
      if (!existsSync(place.file)) return []
      checkDatabase(place.file)
      const older = await findShorterChains(folder, {
        at: describeStore(place),
        store: readFarness(place.file),
      })
      if (older.length > 0)
        return [
          problem(
            `${place.file} is older than what this server has acknowledged, so the next start is refused`,
            'put the newest store back, or start with --accept-older-store, which ends all that it allows',
          ),
        ]
      const megabytes = statSync(place.file).size / (1024 * 1024)
      return [ok(`${place.file} is intact (${megabytes.toFixed(1)} MB)`)]
    }
    default: {
      // Opening a store brings it to this version: only where a server has done so already, and runs.
      const mayOpen = isOpened && findRunningServer(folder) !== undefined
      const found = await inspectSharedStore(place, { withNodes: mayOpen, version: VERSION })
      return [ok(`it is ${describeStore(place)}`), ...found]
    }
  }
}
