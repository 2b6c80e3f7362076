/**
 * A coding session of the demonstration: it reads a file, mends it, runs the test, and says so. The same story for our own tools and for
 * those of Claude Code, whose program then talks to a model that follows this script.
 */
import type { JsonObject } from '../../core/json/json.ts'
import { type ModelScript, readScript } from '../models/scripted/script.ts'

/** What the session finds in its folder. */
export const DEMONSTRATION_SHOP: Readonly<Record<string, string>> = {
  'price.js': 'export const total = (price, count) => price + count\n',
  'price.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from './price.js'

test('three of two', () => assert.equal(total(2, 3), 6))
`,
  'package.json': '{ "name": "shop", "private": true, "type": "module" }\n',
}

export const DEMONSTRATION_TASK = 'Fix the failing test'

interface CodingTools {
  read(path: string): { tool: string; arguments: JsonObject }
  edit(path: string, from: string, to: string): { tool: string; arguments: JsonObject }
  run(command: string, about: string): { tool: string; arguments: JsonObject }
}

const FROM = 'price + count'
const TO = 'price * count'
const TEST = 'node --test'

/** With the tools of our own loop, whose paths are meant from its folder. */
export const codingScript = (): ModelScript =>
  scriptWith({
    read: (path) => ({ tool: 'read_file', arguments: { path } }),
    edit: (path, oldText, newText) => ({ tool: 'edit_file', arguments: { path, oldText, newText } }),
    run: (command) => ({ tool: 'exec', arguments: { command, shell: true } }),
  })

/** With the tools of Claude Code, whose paths are whole. */
export const claudeCodingScript = (folder: string): ModelScript =>
  scriptWith({
    read: (path) => ({ tool: 'Read', arguments: { file_path: `${folder}/${path}` } }),
    edit: (path, old_string, new_string) => ({
      tool: 'Edit',
      arguments: { file_path: `${folder}/${path}`, old_string, new_string },
    }),
    run: (command, description) => ({ tool: 'Bash', arguments: { command, description } }),
  })

function scriptWith({ read, edit, run }: CodingTools): ModelScript {
  return readScript({
    name: 'demonstration',
    scenes: [
      {
        when: 'failing test',
        lastWord: 'I stop here. The test still fails.',
        steps: [
          {
            say: 'I read the code first. That is allowed.',
            calls: [read('price.js'), read('price.test.js')],
          },
          {
            say: 'The total adds the price and the count, and should multiply them.',
            calls: [edit('price.js', FROM, TO)],
          },
          {
            oneOf: [
              { when: { result: 'refused' }, say: 'You did not approve the change, so I leave it: {reason}' },
              { say: 'Now I run the test.', calls: [run(TEST, 'Run the tests')] },
            ],
          },
          {
            oneOf: [
              { when: { result: 'refused' }, say: 'The change is made. I did not run the test: {reason}' },
              { say: 'The test passes: the total multiplies the price by the count.' },
            ],
          },
        ],
      },
      {
        steps: [
          {
            say: 'I follow a script, so I know one task: “Fix the failing test”. With a key Claude answers here.',
          },
        ],
      },
    ],
  })
}
