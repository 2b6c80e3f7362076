/**
 * The store of a data folder, for commands that work on it directly, beside a running server or without one: the one that
 * the last start opened. Nothing is created: a folder that was named wrongly must not become a new, empty installation.
 */
import { existsSync } from 'node:fs'
import { BanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { openStore } from '../stores/open-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { checkOwnFolder } from './check-own-folder.ts'
import { storeOfFolder } from './choose-store.ts'
import type { DataFolder } from './data-folder.ts'

export async function openLocalStore(folder: DataFolder, environment: Environment): Promise<Store> {
  return openStore(findLocalStore(folder, environment))
}

export function findLocalStore(folder: DataFolder, environment: Environment): StorePlace {
  checkOwnFolder(folder)
  const place = storeOfFolder(folder, environment)
  if (place.kind === 'memory') {
    throw new BanksmanError(
      'store_unavailable',
      `the server of ${folder.path} keeps everything in its own memory, where no other process can look; use a token with --url and --token-file, or BANKSMAN_TOKEN`,
    )
  }
  if (place.kind === 'sqlite' && !existsSync(place.file)) {
    throw new BanksmanError(
      'store_unavailable',
      `${place.file}, in which the server of ${folder.path} keeps its data, is not there`,
    )
  }
  return place
}
