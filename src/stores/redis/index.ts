/** `banksman/stores/redis`: one Redis for several machines. */

export type { RedisStoreOptions } from './database/database.ts'
export { inspectRedis, type RedisInspection } from './inspect.ts'
export { openRedisStore } from './store.ts'
