/** `banksman chat` */
import { openChatConnection } from '../chat/chat-connection.ts'
import { plainChat } from '../chat/plain-chat.ts'
import { runChat } from '../chat/run-chat.ts'
import { defineCommand, JSON_OPTION } from '../command-line/command.ts'
import { CONFIGURATION_NAME } from '../connection/configuration-file.ts'
import { CONNECTION_OPTIONS } from '../connection/connect.ts'
import { EXIT } from '../output/failures.ts'
import { createLog } from '../output/log.ts'

export const chat = defineCommand({
  about: `Talks to the agent at the terminal. What it says appears as it comes; when it wants to run something that needs a
person, the whole call is shown and you are asked:

  y  approve                       n  reject, with a reason that the agent reads
  e  edit in $EDITOR, then approve a  approve, and choose what else to let through from now on
  r  respond in the tool's place   t  end the conversation
  s  skip for now                  A  approve all that wait, after seeing each of them

Grave calls need the word yes, and keys count only after a call has been on the screen for half a second. What you type
while the agent works, it hears between two steps. Ctrl-C interrupts it, a second Ctrl-C stops it at once; at an empty
line Ctrl-C leaves, and so does Ctrl-D. Leaving cancels nothing: --session goes on where you left.

The agent is that of the server that runs on the data folder. Where none runs and a model is configured, in
${CONFIGURATION_NAME} or by a key in the environment, it runs inside the chat and stops with it.

Where no terminal is there, each line of standard input is a message and the answers are printed. Nothing can be
approved there: it says where, and waits.`,
  options: {
    session: {
      kind: 'text',
      value: 'NAME',
      about: 'the conversation to go on with, or the name of a new one; a new name unless given',
    },
    agent: {
      kind: 'text',
      value: 'NAME',
      about:
        'whom a new conversation is with, where there are several agents: secretary looks after coding sessions',
    },
    embedded: {
      kind: 'flag',
      about: 'run the agent inside the chat; refused while a server runs on the data folder',
    },
    once: {
      kind: 'text',
      value: 'TEXT',
      about: 'say this, print the answer, and leave with 0, or with 1 if the turn did not complete',
    },
    json: { ...JSON_OPTION.json, about: 'print what happens as JSON, an event a line, for programs' },
    config: {
      kind: 'text',
      value: 'FILE',
      about: `for an agent inside the chat: otherwise BANKSMAN_CONFIG, or ${CONFIGURATION_NAME} in the current folder`,
    },
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman chat', about: 'a new conversation' },
    { line: 'banksman chat --session deploy', about: 'one with a name, to come back to' },
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
