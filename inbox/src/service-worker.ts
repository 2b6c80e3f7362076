/** The entry of the service worker. The build puts the names of the files in the place of `__SHELL__`. */
import { type Shell, startWorker } from './worker/start-worker.ts'
import type { WorkerScope } from './worker/worker-scope.ts'

declare const __SHELL__: Shell

startWorker(self as unknown as WorkerScope, __SHELL__)
