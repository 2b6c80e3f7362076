import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'inbox/*.md', 'test/**/*.md'], {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
})

/** As the sites that show Markdown make them of headings. */
function anchorsOf(text: string): Set<string> {
  const found = new Set<string>()
  for (const [, title = ''] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let name = slug
    for (let again = 1; found.has(name); again++) name = `${slug}-${again}`
    found.add(name)
  }
  for (const [, name = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.add(name)
  return found
}

function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
}

function linksOf(text: string): string[] {
  return [
    ...withoutCode(text)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, to = '']) => to)
}

/** Why the link of this page leads nowhere. */
function wrong(page: string, link: string): string | undefined {
  if (/^[a-z]+:/i.test(link)) return undefined
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), decodeURIComponent(path))
  if (!existsSync(target)) return `${page}: ${link}: there is no ${relative(ROOT, target)}`
  if (anchor === undefined || !target.endsWith('.md')) return undefined
  const isThere = anchorsOf(readFileSync(target, 'utf8')).has(decodeURIComponent(anchor))
  return isThere ? undefined : `${page}: ${link}: ${relative(ROOT, target)} has no such heading`
}

describe('links in the documents', () => {
  it('lead to a file and a heading that are there', () => {
    const found = PAGES.flatMap((page) => {
      return linksOf(readFileSync(join(ROOT, page), 'utf8')).flatMap((link) => wrong(page, link) ?? [])
    })
    expect(found).toEqual([])
    expect(PAGES.length).toBeGreaterThan(30)
  })

  it('this test goes red where one does not', () => {
    expect(wrong('README.md', '#no-such-heading')).toContain('no such heading')
    expect(wrong('README.md', 'docs/none.md')).toContain('there is no')
  })
})
