/** `banksman/stores/memory`: everything in the process; gone with it. */

export { openMemoryStore } from './store.ts'
