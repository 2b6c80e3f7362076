/** What `doctor` says of coding sessions. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../core/support/finding.ts'
import { type CliFolder, makeCliFolder } from '../fixtures/program.ts'
import { runInProcess } from '../fixtures/recording-terminal.ts'

let place: CliFolder
beforeEach(() => {
  place = makeCliFolder()
  mkdirSync(join(place.folder, 'shop'))
})
afterEach(() => place.remove())

async function inspect(text: string, more: Record<string, string> = {}): Promise<Finding[]> {
  const environment = { ...place.environment, ...more }
  writeFileSync(join(place.folder, 'banksman.yaml'), text)
  await runInProcess(['trust', '--yes'], place.folder, environment)
  const { stdout } = await runInProcess(['doctor', '--json'], place.folder, environment)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return findings.filter(({ about }) => about === 'coding sessions')
}

describe('doctor, of coding sessions', () => {
  it('says nothing where there are none', async () => {
    expect(await inspect('policy: {}\n')).toEqual([])
  })

  it('names the folders and what works there', async () => {
    const [found, ...others] = await inspect('secretary: { engine: loop, folders: [./shop] }\n')
    expect(found).toMatchObject({ kind: 'ok', detail: expect.stringContaining(join(place.folder, 'shop')) })
    expect(others).toEqual([])
  })

  it('finds folders that no session can work in', async () => {
    const some = await inspect('secretary: { engine: loop, folders: [./shop, ./nowhere] }\n')
    expect(some.map(({ kind }) => kind)).toEqual(['warning', 'ok'])
    expect(some[0]!.detail).toContain(join(place.folder, 'nowhere'))
    const none = await inspect('secretary: { engine: loop, folders: [./nowhere] }\n')
    expect(none).toMatchObject([{ kind: 'problem', advice: expect.stringContaining('secretary.folders') }])
  })

  it('misses a credential for Claude, and not where there is one', async () => {
    const missing = (findings: Finding[]) => findings.filter(({ detail }) => detail.includes('credential'))
    expect(missing(await inspect('secretary: { folders: [./shop] }\n'))).toHaveLength(1)
    const token = { CLAUDE_CODE_OAUTH_TOKEN: 'a-token-that-is-not-shown' }
    const found = await inspect('secretary: { folders: [./shop] }\n', token)
    expect(missing(found)).toEqual([])
    expect(JSON.stringify(found)).not.toContain(token.CLAUDE_CODE_OAUTH_TOKEN)
  })
})
