/** `banksman sessions mode` */
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONNECTION_OPTIONS, connect } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { safeJson, visible } from '../../output/safe-text.ts'
import { findSession } from '../../sessions/find-session.ts'
import { checkMode } from '../../sessions/session-mode.ts'
import { sessionWords } from '../../sessions/session-words.ts'

export const sessionsMode = defineCommand({
  about: `Shows the mode of a session, or sets it. The mode decides about calls that no rule of the policy covers:

  default      they need approval
  acceptEdits  edits in the workspace are allowed; the rest needs approval
  plan         the session may only read; the rest is denied
  dontAsk      nobody is asked; what no rule allows is denied
  bypass       all of them are allowed

It takes effect with the next call, even in a turn that is running. Only the owner of the session and administrators can set it.
acceptEdits and bypass ask for less approval than default, so \`modes:\` in banksman.yaml must list them; without that key only
acceptEdits can be set. bypassPermissions is another name for bypass.`,
  positionals: [
    { name: 'session', required: true },
    { name: 'mode', required: false },
  ],
  options: { ...JSON_OPTION, ...CONNECTION_OPTIONS },
  examples: [
    { line: 'banksman sessions mode shop', about: 'show the mode, and the modes that you can set' },
    { line: 'banksman sessions mode shop plan', about: 'from now on it may only read' },
  ],
  async run({ values, positionals: [written = '', wanted] }, context) {
    const { terminal } = context
    const mode = wanted === undefined ? undefined : checkMode(wanted, 'the mode')
    const client = await connect(values, context)
    const id = await findSession(client, written)
    const session = mode === undefined ? await client.session(id) : await client.setMode(id, mode)
    if (values.json) {
      terminal.print(safeJson(session, 2))
      return EXIT.done
    }
    const words = sessionWords(terminal.locale)
    const name = visible(id)
    if (session.mode === undefined) terminal.print(words.modeOfPolicy(name))
    else terminal.print((mode === undefined ? words.modeIs : words.modeSet)(name, visible(session.mode)))
    if (mode === undefined) terminal.note(words.settable((session.modes ?? []).join(', ')))
    return EXIT.done
  },
})
