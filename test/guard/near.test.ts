/** The guard's contract in the process of the gateway. */
import { describe, expect, it } from 'vitest'
import { describeGuard } from '../../src/testing/guard-suite.ts'
import { openNear } from './open-guards.ts'

describeGuard({ describe, expect, it }, 'the gateway, on SQLite', openNear)
