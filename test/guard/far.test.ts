/** The guard's contract over HTTP: a real server, the real client. */
import { describe, expect, it } from 'vitest'
import { describeGuard } from '../../src/testing/guard-suite.ts'
import { openFar } from './open-guards.ts'

describeGuard({ describe, expect, it }, 'the client, over HTTP', openFar)
