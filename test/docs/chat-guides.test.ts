/** The guides to chats say what the program does. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FEISHU_SCOPES } from '../../src/server/chat-setup/recipes.ts'
import { readConfiguration } from '../../src/server/configuration/configuration.ts'
import { ROOT } from '../architecture/source-files.ts'

const GUIDES = ['chats', 'telegram', 'feishu', 'feishu.zh', 'secretary', 'secretary.zh'].map(
  (name) => `docs/guide/${name}.md`,
)
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const blocks = (path: string, language: string) =>
  [...read(path).matchAll(new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

describe('the guides to chats', () => {
  it.each(GUIDES)('the configurations in %s are read without error', (path) => {
    for (const text of blocks(path, 'yaml'))
      expect(() => readConfiguration(text, '/x/banksman.yaml', 'ana'), text).not.toThrow()
    if (!path.includes('zh')) expect(blocks(path, 'yaml').length).toBeGreaterThan(0)
  })

  it.each(['docs/guide/feishu.md', 'docs/guide/feishu.zh.md'])(
    '%s asks for the permissions that we use',
    (path) => {
      const [json = ''] = blocks(path, 'json')
      expect(JSON.parse(json)).toEqual({ scopes: { tenant: [...FEISHU_SCOPES], user: [] } })
      for (const word of [
        ...FEISHU_SCOPES,
        'im.message.receive_v1',
        'card.action.trigger',
        'FEISHU_APP_SECRET',
      ])
        expect(read(path)).toContain(`${word}`)
    },
  )

  it.each(['feishu', 'secretary'])(
    '%s has the same sections, tables and commands in both languages',
    (name) => {
      const shape = (path: string) => ({
        sections: read(path).match(/^## /gm)?.length,
        rows: read(path).match(/^ *\|/gm)?.length,
        commands: blocks(path, 'sh').map((text) =>
          text.replaceAll(/ +#.*/g, '').replaceAll(/'[^']*'/g, "'…'"),
        ),
      })
      expect(shape(`docs/guide/${name}.zh.md`)).toEqual(shape(`docs/guide/${name}.md`))
    },
  )

  it('links between pages lead somewhere', () => {
    const pages = ['README.md', ...readdirSync(join(ROOT, 'docs/guide')).map((name) => `docs/guide/${name}`)]
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })
})
