/** `banksman sessions progress` */
import type { WireProgress } from '../../../client/index.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { progressText } from '../../sessions/session-text.ts'
import { watchChanges } from '../../sessions/watch-changes.ts'

export const sessionsProgress = defineCommand({
  about: `Shows the progress of a session without disturbing it: its task and how long it has worked on it, its latest calls and words, how much
of its limits it has used, and its pending requests with the command that decides each. What the session itself said is shown
behind a bar, with hidden characters written out.

Name the session by its id, the beginning of its id, or its folder if only one session works there.

With --watch the display is updated until the turn is over. Ctrl-C leaves.`,
  positionals: [{ name: 'session', required: true }],
  options: {
    watch: { kind: 'flag', about: 'show it again when something changes, until the turn is over' },
    json: { ...JSON_OPTION.json, about: 'print JSON, for programs; with --watch a line each time' },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions progress shop', about: 'show its progress' },
    { line: 'banksman sessions progress shop --watch', about: 'keep showing it until it is done' },
  ],
  async run({ values, positionals: [written = ''] }, context) {
    const { terminal } = context
    const { locale, paint, columns } = terminal
    const client = await connect(values, context)
    const session = await findSession(client, written)
    const text = (progress: WireProgress) =>
      progressText(progress, { locale, paint, columns, now: Date.now() })
    if (values.watch) {
      const watched = {
        read: (signal: AbortSignal) => client.progress(session, { signal }),
        text,
        // How long it has worked changes by itself.
        steady: ({ elapsedMs: _, used, ...rest }: WireProgress) => ({ ...rest, turns: used?.turns }),
        isOver: ({ state }: WireProgress) => state === 'idle',
      }
      await watchChanges(terminal, watched, values.json ? 'json' : 'text')
      return EXIT.done
    }
    const progress = await client.progress(session)
    terminal.print(values.json ? safeJson(progress, 2) : text(progress))
    return EXIT.done
  },
})
