/**
 * All hooks as one. It decides who is consulted, in which order and for how long, and what it means when one fails; what
 * goes through it is the same or stricter for every hook that is not trusted, whatever that hook does.
 *
 * Each hook gets a copy of its own and its answer is copied too, so that nothing it holds on to matters afterwards. The
 * first that denies, answers in the tool's place or ends the turn has the last word: those behind it are not asked.
 */
import type { Clock } from '../../../core/time/clock.ts'
import type { MediaStore } from '../../media/media-store.ts'
import type { HookMount } from '../hook.ts'
import type { HookChain } from '../hook-chain.ts'
import { createAskHook } from './ask-hook.ts'
import { failed, type HookFault, messageOf, quote } from './hook-failure.ts'
import { createModelStages } from './model-stages.ts'
import { type MountedHook, mountHooks } from './mounted-hooks.ts'
import { createObserver } from './observer.ts'
import { createResultStage } from './result-stage.ts'
import { createToolOwners } from './tool-owners.ts'
import { createToolStages } from './tool-stages.ts'

export type { HookFault } from './hook-failure.ts'

export interface HookChainParts {
  clock: Pick<Clock, 'after'>
  media: MediaStore
  /** Told of every hook that does not do what it is there for. What it throws is dropped. */
  report(fault: HookFault): void
  /** Whether a tool's name is taken, though a request need not list it. A hook can't offer one of that name. */
  taken?: (tool: string) => boolean
}

/** How long hooks may take to end. A process gets two seconds before it is killed. */
const CLOSE_MS = 5000

export function createHookChain(mounts: readonly HookMount[], parts: HookChainParts): HookChain {
  const { clock, media: shelf, taken = () => false } = parts
  const hooks = mountHooks(mounts)
  const owners = createToolOwners(hooks)
  const closing = new AbortController()
  const report = (fault: HookFault) => {
    try {
      parts.report(fault)
    } catch {
      // Whoever listens must not decide by failing.
    }
  }
  const ask = createAskHook({ clock, closing: closing.signal, report })
  const observers = hooks
    .filter(({ stages }) => stages.observe !== undefined)
    .map((hook) =>
      createObserver(hook, clock, (reason) => {
        report({ hook: hook.name, stage: 'observe', reason, effect: 'passed_over' })
      }),
    )

  const closeOne = async ({ name, stages }: MountedHook) => {
    try {
      await stages.close?.()
    } catch (error) {
      const reason = failed(name, messageOf(error)).message
      report({ hook: name, stage: 'close', reason, effect: 'passed_over' })
    }
  }
  const closeAll = async () => {
    closing.abort()
    await within(clock, CLOSE_MS, Promise.all(observers.map((observer) => observer.drain())))
    const open = new Set(hooks.map(({ name }) => name))
    await within(
      clock,
      CLOSE_MS,
      Promise.all(hooks.map((hook) => closeOne(hook).then(() => open.delete(hook.name)))),
    )
    for (const hook of open) {
      const reason = `hook ${quote(hook)} did not close within ${CLOSE_MS} ms`
      report({ hook, stage: 'close', reason, effect: 'passed_over' })
    }
  }
  let closed: Promise<void> | undefined

  return {
    ...createModelStages({ hooks, ask, owners, taken }),
    ...createToolStages({ hooks, ask, owners, shelf }),
    afterTool: createResultStage({ hooks, ask, shelf }),
    tell(event, about) {
      for (const observer of observers) observer.tell(event, about)
    },
    remember(session, added) {
      const trusted = new Set(hooks.filter((hook) => hook.trusted).map(({ name }) => name))
      owners.remember(
        session,
        added.filter(({ hook }) => trusted.has(hook)),
      )
    },
    tools: owners.configured,
    close() {
      closed ??= closeAll()
      return closed
    },
  }
}

/** Resolves when the work is done or the time is over. */
function within(clock: Pick<Clock, 'after'>, limitMs: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.after(limitMs, resolve)
    const done = () => {
      timer.cancel()
      resolve()
    }
    work.then(done, done)
  })
}
