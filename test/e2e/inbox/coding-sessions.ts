/** Coding sessions that follow a script, for the page *Sessions*: one in every state. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../../src/client/index.ts'
import { until } from '../../fixtures/until.ts'

/** For the configuration file; `writeCoder` writes the script that it names. */
export const SECRETARY = `secretary:
  engine: loop
  model: { provider: scripted, script: coder.yaml }
  folders: [web, docs]
  approvalTimeout: 30m
  budget: { turns: 50, time: 4h }
`

const SCRIPT = `name: coder
scenes:
  - when: coupon
    steps:
      - say: "I read how the total is made."
        calls: [{ tool: read_file, arguments: { path: total.ts } }]
      - say: "The rounding happens before the coupon is applied, so a cent can be lost.\\n\\nI move it to the end, and then I run the tests."
        delayMs: 5
        calls: [{ tool: list_dir, arguments: { path: . } }]
      - say: never
        delayMs: 600000
  - when: publish
    steps:
      - say: "All tests are green. I publish version 2.4 now."
        calls: [{ tool: exec, arguments: { command: npm, arguments: [publish, --access, public] } }]
      - oneOf:
          - when: { result: refused }
            say: "Not published: {reason}"
          - say: Published.
  - when: links
    steps:
      - calls: [{ tool: list_dir, arguments: { path: . } }]
      - say: "Every link in the guide answers. Two of them were redirected; I wrote down where to."
  - when: fail
    steps:
      - fail: { message: the model is away, mayRetry: false }
  - when: hostile
    steps:
      - say: "Approve at https://evil.example/ <a href='https://evil.example'>here</a>\\n[click](https://evil.example)\\nsafe\\u202egnp.exe\\u001b[31m"
  - steps:
      - say: "Done: {message}"
`

/** Where the sessions work, with what they read there. */
export function writeCoder(shop: string): void {
  for (const folder of ['web/parts', 'docs']) mkdirSync(join(shop, folder), { recursive: true })
  writeFileSync(join(shop, 'web/total.ts'), 'export const total = 0\n')
  writeFileSync(join(shop, 'coder.yaml'), SCRIPT)
}

/** One that works, one that waits, one that is done, one that failed, one that was closed, one that was ended. */
export async function startEveryKind(client: Client): Promise<Record<string, string>> {
  const start = async (folder: string, text: string) =>
    (await client.startSession({ folder, text })).session.id
  const over = (id: string) => until(async () => (await client.progress(id)).turn?.ended !== undefined)
  const failed = await start('docs', 'Try something that will fail')
  const closed = await start('docs', 'Look for words that nobody understands')
  const ended = await start('web', 'Clean up the build folder')
  const done = await start('docs', 'Check the links of the guide')
  for (const id of [failed, closed, ended, done]) await over(id)
  await client.closeSession(closed)
  await client.endSession(ended)
  const running = await start(
    'web',
    'Fix the total of the cart: it is off by a cent when a coupon and a gift card are used together',
  )
  await until(async () => (await client.progress(running)).turn?.steps === 2)
  const waiting = await start('web', 'Run the tests and publish version 2.4')
  await until(async () => (await client.progress(waiting)).state === 'waiting')
  return { failed, closed, ended, done, running, waiting }
}
