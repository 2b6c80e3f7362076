/**
 * The server side of the chat benchmark, in a process of its own: a whole server on a data folder, whose agent follows a
 * script with one call in it that a person is asked about.
 */
import { join } from 'node:path'
import { DEMONSTRATION_TOOLS } from '../../src/agents/demonstration/tools.ts'
import { createScriptedModel } from '../../src/agents/models/scripted/scripted-model.ts'
import { startServer } from '../../src/server/start-server.ts'

const [folder = ''] = process.argv.slice(2)
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  data: join(folder, 'data'),
  configuration: join(folder, 'banksman.yaml'),
  // Not ours: a key in it would have a real model answer.
  environment: { BANKSMAN_HOME: join(folder, 'home') },
  demonstration: {
    model: createScriptedModel([
      {
        steps: [
          {
            say: 'I look the weather up.',
            calls: [{ tool: 'get_weather', arguments: { city: 'Hangzhou' } }],
          },
          { say: 'Here it is: {result}' },
        ],
      },
    ]),
    tools: DEMONSTRATION_TOOLS,
    workspace: join(folder, 'workspace'),
  },
  report: ({ doing, error }) => console.error(doing, error),
  say: () => {},
})
const person = await server.gateway.tokens.create({ role: 'approver', subject: 'ana' }, server.self)
console.log(JSON.stringify({ url: server.url, token: person.secret }))
process.stdin.on('end', () => process.exit(0)).resume()
