/**
 * What a guide shows is what happens. In a guide on the command line a block with a file's name is that file: it is
 * written where there is none, and must be the same where a command has written it. Lines of `sh` that start with
 * `npx banksman` are run, and a block of `text` behind them is all that they print. Every `##` begins in an empty
 * folder, which the guide calls `/home/ana/project`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeCliFolder } from '../../src/cli/fixtures/program.ts'
import { runInProcess } from '../../src/cli/fixtures/recording-terminal.ts'
import { ROOT } from '../architecture/source-files.ts'

const GUIDES = ['docs/guide/policy-from-elsewhere.md']

interface Block {
  language: string
  file: string | undefined
  text: string
}

function blocksOf(section: string): Block[] {
  return [...section.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language = '', file, text = '']) => {
      return { language, file, text }
    },
  )
}

/** As a shell would split it, but for everything that is not in these guides. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, plain]) => {
    return single ?? double ?? plain ?? ''
  })
}

describe.each(GUIDES)('%s', (guide) => {
  const sections = readFileSync(join(ROOT, guide), 'utf8').split(/^(?=## )/m)
  const told = sections.filter((section) => blocksOf(section).length > 0)

  it.each(told.map((section) => [section.split('\n', 1)[0] ?? '', section]))('%s', async (_, section) => {
    const place = makeCliFolder()
    afterAll(() => place.remove())
    const project = join(place.folder, 'home', 'ana', 'project')
    // Whatever is in that folder is ours, and no call may touch it: the project must not be.
    const environment = { ...place.environment, BANKSMAN_HOME: join(place.folder, 'own') }
    mkdirSync(project, { recursive: true })
    let printed = ''
    for (const { language, file, text } of blocksOf(section)) {
      if (file !== undefined) {
        const path = join(project, file)
        if (existsSync(path)) expect(text).toBe(readFileSync(path, 'utf8'))
        else {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, text)
        }
      } else if (language === 'sh') {
        printed = ''
        for (const line of text.split('\n').filter((each) => each.startsWith('npx banksman '))) {
          const { stdout, stderr } = await runInProcess(wordsOf(line).slice(2), project, environment)
          printed += `${stdout}${stderr}`
        }
      } else if (language === 'text') {
        expect(text.trim()).toBe(printed.replaceAll(project, '/home/ana/project').trim())
      }
    }
  })
})
