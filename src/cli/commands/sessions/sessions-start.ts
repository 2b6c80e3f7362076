/** `banksman sessions start` */
import { resolve } from 'node:path'
import { defined } from '../../../core/defined.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT, usageError } from '../../output/failures.ts'
import { rendered, safeJson, visible } from '../../output/safe-text.ts'
import { followTurn } from '../../sessions/follow-turn.ts'
import { checkMode } from '../../sessions/session-mode.ts'
import { sessionWords } from '../../sessions/session-words.ts'

export const sessionsStart = defineCommand({
  about: `Starts a coding session in a folder, with a first message that says what to do. It works in the background: the command returns at
once, and calls need approval as the policy says. Without a message the session waits for one.

The folder must be listed under \`secretary.folders\` in banksman.yaml, or lie in one that is. The last part of its name is
enough: shop for ~/code/shop. A path that begins with ./ or ../, or is just ., starts from the current folder.

With --watch the command stays until the turn is over and shows what the session does. Its last words go to standard output; the
exit code is 0 if the turn was completed, and 1 otherwise. For each request it prints the command that decides it, for use in
another terminal. Ctrl-C leaves; the session continues.`,
  positionals: [
    { name: 'folder', required: true },
    { name: 'message', required: false },
  ],
  options: {
    mode: {
      kind: 'text',
      value: 'MODE',
      about:
        'the mode (default: that of the policy); `sessions mode --help` explains them. bypass must be listed under `modes:` in banksman.yaml',
    },
    agent: { kind: 'text', value: 'NAME', about: 'which agent works there, if there are several' },
    watch: { kind: 'flag', about: 'show what it does until the turn is over' },
    json: {
      ...JSON_OPTION.json,
      about: 'print JSON, for programs; with --watch, one event per line follows',
    },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman sessions start shop "fix the failing test"', about: 'start it in the background' },
    {
      line: 'banksman sessions start . "what does this do?" --mode plan --watch',
      about: 'in the current folder, and wait',
    },
  ],
  async run({ values, positionals: [folder = '', text] }, context) {
    const { terminal, cwd } = context
    if (values.watch && text === undefined)
      throw usageError('--watch needs a message: without one there is nothing to watch yet')
    if (text?.trim() === '')
      throw usageError('[message] is empty: write what the session is to do, or leave it out')
    const mode = values.mode === undefined ? undefined : checkMode(values.mode, '--mode')
    const client = await connect(values, context)
    const isHere = /^\.\.?(?:\/|$)/.test(folder)
    const { session, said } = await client.startSession({
      folder: isHere ? resolve(cwd, folder) : folder,
      ...defined({ text, mode, agent: values.agent }),
    })
    const words = sessionWords(terminal.locale)
    const id = visible(session.id)
    if (values.json) terminal.print(safeJson({ session, ...defined({ said }) }, values.watch ? undefined : 2))
    else {
      const line = words.started(id, rendered(session.coding?.folder ?? folder))
      // The result is what it says, where that is waited for.
      if (values.watch) terminal.note(line)
      else terminal.print(line)
    }
    if (values.watch && said !== undefined)
      return followTurn(client, { ...said, session: session.id }, terminal, values.json ? 'json' : 'text')
    if (!values.json) terminal.note(said === undefined ? words.waitsForMessage(id) : words.howFar(id))
    return EXIT.done
  },
})
