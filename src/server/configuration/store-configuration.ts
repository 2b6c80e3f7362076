/**
 * What `banksman.yaml` says of the store. The file is one that is committed and shown, so a password in it is refused:
 * `${NAME}` stands for what the environment says. As the whole value it is taken as it is, as a part of an address it is
 * written in the way that addresses need.
 */
import { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'
import { postgresUrl, readStorePlace, type StorePlace } from '../stores/store-place.ts'

export const postgresSchema = z.strictObject({
  listenUrl: z.string().min(1, 'must be an address of Postgres').exactOptional(),
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be a name of lower-case letters, digits and _, as in banksman')
    .exactOptional(),
  poolSize: z.int().min(1, 'must be at least 1').max(200, 'must be at most 200').exactOptional(),
})

export const redisSchema = z.strictObject({
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be a name of letters, digits, _ and -, as in banksman')
    .exactOptional(),
  mayLose: z.boolean().exactOptional(),
})

/** The keys of each part, for an error that names them. */
export const STORE_KEYS: Readonly<Record<string, readonly string[]>> = {
  postgres: Object.keys(postgresSchema.shape),
  redis: Object.keys(redisSchema.shape),
}

/** As it is written, with the names of variables and without their values. */
export interface StoreConfiguration {
  text: string | undefined
  postgres: z.infer<typeof postgresSchema>
  redis: z.infer<typeof redisSchema>
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g
const WHOLE = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/

export type Environment = Readonly<Record<string, string | undefined>>

export function readStoreConfiguration(blocks: {
  store?: string | undefined
  postgres?: z.infer<typeof postgresSchema> | undefined
  redis?: z.infer<typeof redisSchema> | undefined
}): StoreConfiguration {
  const { store, postgres = {}, redis = {} } = blocks
  if (store !== undefined) placed('/store', () => checkNoSecrets(store, 'store'))
  const { listenUrl } = postgres
  if (listenUrl !== undefined)
    placed('/postgres/listenUrl', () => {
      checkNoSecrets(listenUrl, 'postgres.listenUrl')
      if (!WHOLE.test(listenUrl)) postgresUrl(listenUrl.replaceAll(VARIABLE, '1'))
    })
  return { text: store, postgres, redis }
}

/** Throws where a text that others can read names no store, or holds a password. `what` is the text's name. */
export function checkNoSecrets(text: string, what: string): void {
  if (WHOLE.test(text)) return
  const isAddress = text.includes('://')
  if (text.replaceAll(VARIABLE, '').includes('${'))
    invalid(`${what}: a variable is written like \${STORE_PASSWORD}, with letters, digits and _`)
  if (!isAddress && text.includes('${'))
    invalid(
      `${what}: variables are put into addresses only, as in postgres://banksman:\${STORE_PASSWORD}@host/banksman`,
    )
  // Read with something in the place of each variable, so that a mistake is told before the start.
  readStorePlace(text.replaceAll(VARIABLE, '1'), '/')
  const url = isAddress ? URL.parse(text.replaceAll(VARIABLE, '')) : null
  if (url !== null && (url.password !== '' || url.searchParams.get('password')))
    invalid(
      `${what}: a password does not belong where others can read it; write \${NAME} in its place, which stands for the variable NAME of the environment, or give the whole address in BANKSMAN_STORE`,
    )
}

/** The place itself, from a text in which nothing stands for anything else any more. */
export function storePlaceOf(
  text: string,
  { postgres, redis }: Pick<StoreConfiguration, 'postgres' | 'redis'>,
  environment: Environment,
  folder: string,
): StorePlace {
  const place = readStorePlace(text, folder)
  if (place.kind === 'redis') return { ...place, ...redis }
  if (place.kind !== 'postgres') return place
  const { listenUrl, ...rest } = postgres
  return {
    ...place,
    ...rest,
    ...(listenUrl === undefined ? {} : { listenUrl: postgresUrl(withVariables(listenUrl, environment)) }),
  }
}

/** Puts the environment's values in the place of their names. */
export function withVariables(text: string, environment: Environment): string {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return variableOf(whole, environment)
  return text.replaceAll(VARIABLE, (_, name: string) => encodeURIComponent(variableOf(name, environment)))
}

function variableOf(name: string, environment: Environment): string {
  const value = environment[name]
  if (value === undefined || value === '')
    invalid(`the address of the store needs the environment variable ${name}, which is not set`)
  return value
}

function placed(pointer: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof BanksmanError)) throw error
    throw new BanksmanError(error.code, error.message, { ...error.details, pointer })
  }
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_configuration', message)
}
