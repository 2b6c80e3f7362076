import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestGateway } from '../../gateway/fixtures/test-gateway.ts'
import { createConfigurationSource } from '../configuration/configuration-source.ts'
import { forgetTrusted, writeTrusted } from '../configuration/trust.ts'
import { createConfigurationFollower } from './follow-configuration.ts'
import { createLivePolicy } from './policy-in-force.ts'
import { protectedResourcesAt } from './protected-resources.ts'

const GOOD = 'policy: { allow: [read_file] }\n'

describe('a server that follows its configuration', () => {
  let folder: string
  let file: string
  let trusted: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'banksman-follow-'))
    file = join(folder, 'banksman.yaml')
    trusted = join(folder, 'home', 'trusted')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Looks as often as a server would that goes on for a while. */
  async function following(preset?: object) {
    const { gateway } = await openTestGateway()
    const configuration = createConfigurationSource({ file, trustFolder: trusted, defaultOwner: 'me' })
    const protectedResources = () =>
      protectedResourcesAt({ files: [file], databases: [], folders: [folder], addresses: [], connected: [] })
    const policy = createLivePolicy({ configuration, protectedResources, preset })
    const said: string[] = []
    const follower = createConfigurationFollower({
      file,
      configuration,
      policy,
      gateway,
      announce: () => {},
      report: ({ error }) => {
        throw error
      },
      say: (line) => said.push(line),
    })
    return async () => {
      for (let round = 0; round < 3; round++) await follower.follow()
      return said.splice(0)
    }
  }
  const trust = (text: string) => writeTrusted(trusted, file, text, 'ana', 1)

  it('says nothing as long as nothing changes', async () => {
    writeFileSync(file, GOOD)
    trust(GOOD)
    const look = await following()
    expect(await look()).toEqual([])
  })

  it('says once that the file has another text, has a mistake, is gone, and is as it was', async () => {
    writeFileSync(file, GOOD)
    trust(GOOD)
    const look = await following()
    writeFileSync(file, 'policy: { mode: bypass }\n')
    expect(await look()).toEqual([
      `${file} has changed: the text that was trusted last stays in force until you run: banksman trust ${file}`,
    ])
    writeFileSync(file, 'polici: {}\n')
    const [broken, ...more] = await look()
    expect(more).toEqual([])
    expect(broken).toContain("has changed and can't be used: the text that was trusted last stays in force")
    expect(broken).toContain(`${file}:1:1`)
    rmSync(file)
    expect(await look()).toEqual([
      expect.stringContaining('is gone: the text that was trusted last stays in force'),
    ])
    writeFileSync(file, GOOD)
    expect(await look()).toEqual([`the policy of ${file} is in force`])
  })

  it('P11: says what is in force once a text is trusted, and once that is taken back', async () => {
    const look = await following()
    writeFileSync(file, GOOD)
    expect(await look()).toEqual([expect.stringContaining('every call needs approval until you run')])
    trust(GOOD)
    expect(await look()).toEqual(['the newly trusted configuration is in force from now on'])
    writeFileSync(file, `${GOOD}# more\n`)
    expect(await look()).toHaveLength(1)
    forgetTrusted(trusted, file)
    expect(await look()).toEqual([expect.stringContaining('nobody has trusted')])
  })

  it('does not say that every call needs approval while the demonstration’s policy is in force', async () => {
    const look = await following({ allow: ['read_file'] })
    writeFileSync(file, GOOD)
    expect(await look()).toEqual([
      `nobody has trusted ${file} yet: the demonstration's policy stays in force until you run: banksman trust ${file}`,
    ])
    rmSync(file)
    expect(await look()).toEqual([`there is no ${file}: the demonstration's policy is in force`])
  })
})
