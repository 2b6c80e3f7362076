/** `banksman chat` */
import { openChatConnection } from '../../chat/chat-connection.ts'
import { plainChat } from '../../chat/plain-chat.ts'
import { runChat } from '../../chat/run-chat.ts'
import { defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import { CONFIGURATION_NAME } from '../../connection/configuration-file.ts'
import { CONNECTION_OPTIONS } from '../../connection/connect.ts'
import { EXIT } from '../../output/failures.ts'
import { createLog } from '../../output/log.ts'

export const chat = defineCommand({
  about: `Talks to the agent in the terminal. What it says appears as it comes. When a call needs approval, it is shown in full and you decide:

  y  approve                       n  reject, with a reason that the agent reads
  e  edit in $EDITOR, then approve a  approve, and remember it for later calls
  r  respond instead of the tool   t  end the conversation
  s  skip for now                  A  approve all pending calls, after seeing each

A high-risk call asks you to type yes. Keys count only after a call has been on the screen for half a second. What you type while
the agent works reaches it before its next step. Ctrl-C interrupts the agent, and a second Ctrl-C stops it at once; on an empty line
Ctrl-C or Ctrl-D leaves the chat. Leaving cancels nothing: come back with --session.

The agent is the one of the server that runs on the data folder. If no server runs and a model is configured, in
${CONFIGURATION_NAME} or by a key in the environment, the agent runs inside the chat and stops with it.

Without a terminal, each line of standard input is a message, and the answers are printed. You can't approve there: it
says where you can, and waits.`,
  options: {
    session: {
      kind: 'text',
      value: 'NAME',
      about: 'the conversation to continue, or a name for a new one (default: a new name)',
    },
    agent: {
      kind: 'text',
      value: 'NAME',
      about:
        'the agent to talk to in a new conversation, if there are several; secretary manages coding sessions',
    },
    embedded: {
      kind: 'flag',
      about: 'run the agent inside the chat; not possible while a server runs on the data folder',
    },
    once: {
      kind: 'text',
      value: 'TEXT',
      about: 'send this message, print the answer and exit: with 0, or with 1 if the turn did not complete',
    },
    json: { ...JSON_OPTION.json, about: 'print what happens as JSON, one event per line, for programs' },
    config: {
      kind: 'text',
      value: 'FILE',
      about: `the configuration file for an agent inside the chat (default: BANKSMAN_CONFIG, or ${CONFIGURATION_NAME} in the current folder)`,
    },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman chat', about: 'a new conversation' },
    { line: 'banksman chat --session deploy', about: 'a conversation with a name, to come back to' },
    { line: 'banksman chat --once "what is in this folder?"', about: 'one question, for scripts' },
  ],
  async run({ values }, context) {
    const { terminal } = context
    let log = createLog(terminal)
    const line = await openChatConnection({ values, context, log: (text) => log(text) })
    try {
      if (terminal.isInteractive && values.once === undefined && !values.json) {
        await runChat(line, context, (other) => {
          log = other
        })
        return EXIT.done
      }
      return await plainChat(line, context, values)
    } finally {
      await line.close()
    }
  },
})
