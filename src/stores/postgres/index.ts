/** `banksman/stores/postgres`: several machines, one database. */

export { inspectPostgres } from './inspect.ts'
export { openPostgresStore, type PostgresStoreOptions } from './store.ts'
