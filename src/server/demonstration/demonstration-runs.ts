/**
 * Runs of the demonstration. The first begins by itself, once for a data folder; a person can begin others, one at a time. Each is a
 * conversation of its own, and a coding session beside it in a folder that is put back to how it was.
 */

import { DEMONSTRATION_TASK } from '../../agents/demonstration/coding-script.ts'
import { DEMONSTRATION_WORDS } from '../../agents/demonstration/demonstration-words.ts'
import type { Conversations, TurnEvent } from '../../core/conversation.ts'
import type { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { Actor } from '../../core/session.ts'
import type { Locale } from '../../display/words/rendering-words.ts'
import type { DemonstrationRuns } from '../../http/routes/administration/demonstration.ts'
import { fillShop } from './demonstration-preset.ts'

export interface StartedDemonstration extends DemonstrationRuns {
  /** Begins the first run, or follows it where an earlier start left it unfinished. */
  begin(locale: Locale): Promise<void>
  close(): Promise<void>
}

export interface DemonstrationParts {
  agent: Conversations
  secretary: Secretary | undefined
  /** Whether its coding sessions are those of the demonstration, and not of a configuration. */
  hasOwnSessions(): boolean
  workspace: string
  /** As whom the first run is begun. */
  self: Actor
  newId(prefix: string): string
  now(): number
  /** Told what it does, a line at a time. */
  say(line: string): void
  report(fault: { doing: string; error: unknown }): void
}

/** The conversation of the first run. */
const FIRST = 'demonstration'

export function createDemonstrationRuns(parts: DemonstrationParts): StartedDemonstration {
  const { agent, secretary, self, say } = parts
  const stop = new AbortController()
  const followed = new Set<Promise<void>>()
  /** Of two who press at once, one begins it. */
  let isStarting = false
  let newest: { session: string; by: Actor } = { session: FIRST, by: self }

  const isRunning = async () => (await agent.running(newest.session, newest.by)) !== undefined

  /** @param since What was decided before it was told by an earlier start: each is told once. */
  function follow(session: string, by: Actor, since: number): void {
    const following = tell(session, by, since)
      .catch((error) => parts.report({ doing: 'following the demonstration', error }))
      .finally(() => followed.delete(following))
    followed.add(following)
  }

  async function tell(session: string, by: Actor, since: number): Promise<void> {
    for await (const event of agent.events(session, { after: 't1-0', signal: stop.signal }, by)) {
      const line = event.kind === 'call_waiting' || event.at >= since ? describe(event) : undefined
      if (line !== undefined) say(`demonstration: ${line}`)
      if (event.kind === 'turn_ended') return
    }
  }

  async function startRun(session: string, by: Actor, locale: Locale): Promise<void> {
    await agent.say({ session, text: DEMONSTRATION_WORDS[locale].tour.opening }, by)
    newest = { session, by }
    follow(session, by, 0)
  }

  async function startCoding(by: Actor): Promise<void> {
    if (secretary === undefined || !parts.hasOwnSessions()) return
    const { session } = await secretary.start({ folder: 'shop', text: DEMONSTRATION_TASK }, by)
    say(`demonstration: a coding session fixes a failing test in ${session.folder}; see the page Sessions`)
  }

  return {
    async begin(locale) {
      const isNew = await agent.entries(FIRST, { limit: 1 }, self).then(
        () => false,
        () => true,
      )
      if (isNew) {
        if ((await secretary?.list({ closed: true }, self))?.length === 0) await startCoding(self)
        await startRun(FIRST, self, locale)
      } else if (await isRunning()) follow(FIRST, self, parts.now())
    },

    async state() {
      return { state: (await isRunning()) ? 'running' : 'ready', session: newest.session }
    },

    async run(locale, actor) {
      if (isStarting) throw alreadyRunning(newest.session)
      isStarting = true
      try {
        if (await isRunning()) throw alreadyRunning(newest.session)
        const sessions = (await secretary?.list({ all: true }, self)) ?? []
        // Somebody works there: their files are left alone.
        if (sessions.every(({ state }) => state !== 'running' && state !== 'waiting')) {
          if (parts.hasOwnSessions()) fillShop(parts.workspace)
          await startCoding(actor)
        }
        const session = `${FIRST}-${parts.newId('run')}`
        await startRun(session, actor, locale)
        return { state: 'running', session }
      } finally {
        isStarting = false
      }
    },

    async close() {
      stop.abort()
      await Promise.all(followed)
    },
  }
}

function alreadyRunning(session: string): BanksmanError {
  return reasonedError('already_running', reasonOf('demo.running'), { session })
}

function describe(event: TurnEvent): string | undefined {
  switch (event.kind) {
    case 'call_waiting':
      return `${event.tool}: needs approval`
    case 'call_finished':
      return `${event.tool}: ${event.ok ? 'ran' : 'failed'}: ${event.text.split('\n', 1)[0]}`
    case 'call_refused':
      return `${event.tool}: ${event.state}: ${event.because}`
    case 'call_answered':
      return `${event.tool}: ${event.by} answered instead of the tool`
    case 'turn_ended':
      return 'it is over; every step is in the journal. To run it again: banksman demo'
    default:
      return undefined
  }
}
