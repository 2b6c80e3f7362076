/** What the empty page of the inbox tells people to type is typed here. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { NEXT_STEPS_WORDS } from '../../inbox/src/pending/next-steps/next-steps-words.ts'
import { makeCliFolder } from '../../src/cli/fixtures/program.ts'

const place = makeCliFolder()
afterAll(() => place.remove())

/** The words after `npx banksman`. */
function wordsOf(command: string): string[] {
  const [npx, program, ...words] = command.split(' ')
  expect([npx, program]).toEqual(['npx', 'banksman'])
  return words
}

describe('the steps of the empty page', () => {
  it('work as they stand: an agent calls, a colleague gets a link, a policy takes effect', async () => {
    const server = await place.start()
    const { connect, invite, policy } = NEXT_STEPS_WORDS.en
    const [token = '', call = ''] = connect(`${server.url}/`).commands
    expect((await place.run(wordsOf(token))).code).toBe(0)
    const [early, ...rest] = call.split('?hold=25s')
    // Nobody is there who would answer.
    const { stdout } = await promisify(execFile)('sh', ['-c', [early, ...rest].join('')], {
      cwd: place.folder,
    })
    expect(JSON.parse(stdout)).toMatchObject({ verdict: { kind: 'ask' }, request: { tool: 'send_mail' } })

    const link = await place.run(wordsOf(invite.commands[0] ?? ''))
    expect(link.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#login=bml_\S+\n$/)

    // At a terminal these two ask.
    const asked: Record<string, string[]> = { init: ['--template', 'coding-agent'], trust: ['--yes'] }
    for (const command of policy.commands) {
      const words = wordsOf(command)
      const ran = await place.run([...words, ...(asked[words.at(-1) ?? ''] ?? [])])
      expect(ran.code, `${command}: ${ran.stderr}`).toBe(0)
    }
  })

  it('are the same commands in both languages', () => {
    const commandsIn = (language: 'en' | 'zh') => {
      const { connect, invite, policy } = NEXT_STEPS_WORDS[language]
      return [connect('http://x/'), invite, policy].map(({ commands }) => commands)
    }
    expect(commandsIn('zh')).toEqual(commandsIn('en'))
  })
})
