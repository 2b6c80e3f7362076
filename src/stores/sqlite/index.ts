/** `banksman/stores/sqlite`: one file, several processes, no server. */

export { openSqliteStore, type SqliteStoreOptions } from './store.ts'
