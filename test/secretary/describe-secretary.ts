/**
 * The acceptance list of the secretary as tests, for any engine. Each names its row. The rows of chats themselves are tested with the
 * chats, and those about a child process with the engine that has one.
 */
import type { Runner } from '../../src/testing/runner.ts'
import { describeAsking } from './asking.ts'
import { describeLimits } from './limits.ts'
import { describeNotices } from './notices.ts'
import { describeProgress } from './progress.ts'
import { describeRestarts } from './restarts.ts'
import type { SecretaryDriver } from './secretary-driver.ts'
import { openWorld, type SecretaryWorld, type WorldOptions } from './secretary-world.ts'
import { describeSessions } from './sessions.ts'

export interface SecretarySuite extends Runner {
  driver: SecretaryDriver
  /** A test with a world of its own; `open` may be called for it once. */
  test(name: string, options: WorldOptions, body: (world: SecretaryWorld) => Promise<void>): void
}

export function describeSecretary(runner: Runner, driver: SecretaryDriver): void {
  const suite: SecretarySuite = {
    ...runner,
    driver,
    test: (name, options, body) =>
      runner.it(name, async () => {
        const world = await openWorld(driver, options)
        let last = world
        // A restart leaves the world that is to be closed.
        const following = (one: SecretaryWorld): SecretaryWorld => ({
          ...one,
          async restart(changes) {
            last = await one.restart(changes)
            return following(last)
          },
        })
        try {
          await body(following(world))
        } finally {
          await last.close()
        }
      }),
  }
  runner.describe(`the secretary with ${driver.name}`, () => {
    describeSessions(suite)
    describeProgress(suite)
    describeAsking(suite)
    describeNotices(suite)
    describeLimits(suite)
    describeRestarts(suite)
  })
}
