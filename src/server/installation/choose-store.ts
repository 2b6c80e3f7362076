/**
 * Which store a start opens: what `--store` names, else `BANKSMAN_STORE`, else `store:` in the configuration, else the data
 * folder's own database. A text of the configuration that nobody has trusted says nothing here either; but going on with
 * another store than the one that it names would hide all that waits there, so then there is no start (P11).
 *
 * What was opened is written down in the data folder, without passwords, for the commands that work on the same store.
 */

import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ConfigurationSource } from '../configuration/configuration-source.ts'
import {
  checkNoSecrets,
  type Environment,
  postgresSchema,
  redisSchema,
  type StoreConfiguration,
  storePlaceOf,
  withVariables,
} from '../configuration/store-configuration.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import { describeStore, type StorePlace } from '../stores/store-place.ts'
import type { DataFolder } from './data-folder.ts'

export interface ChosenStore {
  place: StorePlace
  /** What is written down of it. */
  record: StoreRecord
}

export interface StoreRecord {
  /** Which store it is, in words that hold no secret. */
  at: string
  /** How it was named, with variables in the place of secrets. Absent: as BANKSMAN_STORE says. */
  given?: string
  postgres: StoreConfiguration['postgres']
  redis: StoreConfiguration['redis']
}

export interface StoreChoice {
  /** With `--store`. */
  named?: string | undefined
  environment: Environment
  configuration: ConfigurationSource
  /** The configuration file. */
  file: string
  folder: DataFolder
  /** From where `--store` and `BANKSMAN_STORE` mean a file. */
  cwd: string
}

export function chooseStore({
  named,
  environment,
  configuration,
  file,
  folder,
  cwd,
}: StoreChoice): ChosenStore {
  const { store } = configuration.current()
  const { postgres, redis } = store
  const fromEnvironment = environment.BANKSMAN_STORE || undefined
  if (named !== undefined) checkNoSecrets(named, '--store')
  const given = named ?? (fromEnvironment === undefined ? store.text : undefined)
  refuseUntrusted(configuration, file, given ?? fromEnvironment)
  const from = named === undefined && fromEnvironment === undefined ? dirname(resolve(file)) : cwd
  const place: StorePlace =
    given !== undefined
      ? storePlaceOf(withVariables(given, environment), store, environment, from)
      : fromEnvironment !== undefined
        ? storePlaceOf(fromEnvironment, store, environment, from)
        : { kind: 'sqlite', file: folder.database }
  const at = describeStore(place)
  // A file is named from the root, so that it is the same from everywhere.
  const written = place.kind === 'sqlite' ? at : given
  return { place, record: { at, ...defined({ given: written }), postgres, redis } }
}

function refuseUntrusted({ unheld }: ConfigurationSource, file: string, text: string | undefined): void {
  if (unheld === undefined) return
  const { store } = unheld
  const scheme = text?.split(':', 1)[0] ?? ''
  const ignored = [
    ...(text === undefined && store.text !== undefined ? ['store:'] : []),
    ...(/^postgres/i.test(scheme) && Object.keys(store.postgres).length > 0 ? ['postgres:'] : []),
    ...(/^redis/i.test(scheme) && Object.keys(store.redis).length > 0 ? ['redis:'] : []),
  ]
  if (ignored.length === 0) return
  throw new BanksmanError(
    'untrusted_configuration',
    `${file} says under ${ignored.join(' and ')} where the store is, and nobody has trusted the file yet, so nothing of it holds; a start without it would open another store. Look at it and run: banksman trust ${file}`,
  )
}

/** For the commands that come later. */
export function writeStoreRecord(folder: DataFolder, { place, record }: ChosenStore): void {
  if (place.kind === 'sqlite' && place.file === folder.database) {
    rmSync(folder.storeFile, { force: true })
    return
  }
  putFile(folder.storeFile, `${JSON.stringify(record, null, 2)}\n`)
}

const recordSchema = z.strictObject({
  at: z.string(),
  given: z.string().exactOptional(),
  postgres: postgresSchema,
  redis: redisSchema,
})

/** Undefined where the store is the folder's own database. */
export function readStoreRecord(folder: DataFolder): StoreRecord | undefined {
  const text = readIfThere(folder.storeFile)
  if (text === undefined) return undefined
  try {
    return recordSchema.parse(parseJson(text))
  } catch (cause) {
    throw new BanksmanError(
      'invalid_configuration',
      `${folder.storeFile} is not as it was written; start the server again, which writes it anew`,
      {},
      { cause },
    )
  }
}

/** The store that the last start on this data folder opened, whatever is configured by now. */
export function storeOfFolder(folder: DataFolder, environment: Environment): StorePlace {
  const record = readStoreRecord(folder)
  if (record === undefined) return { kind: 'sqlite', file: folder.database }
  const { at, given } = record
  const fromEnvironment = environment.BANKSMAN_STORE || undefined
  const text = given === undefined ? fromEnvironment : withVariables(given, environment)
  if (text === undefined) {
    throw new BanksmanError(
      'invalid_configuration',
      `the server of ${folder.path} keeps its data at ${at}, and was told so by BANKSMAN_STORE; set that here too`,
    )
  }
  const place = storePlaceOf(text, record, environment, folder.path)
  if (describeStore(place) !== at) {
    throw new BanksmanError(
      'invalid_configuration',
      `the server of ${folder.path} keeps its data at ${at}, but the environment leads to ${describeStore(place)}; set BANKSMAN_STORE as the server has it`,
    )
  }
  return place
}
