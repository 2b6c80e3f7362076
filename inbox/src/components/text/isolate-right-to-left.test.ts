import { type ComponentChildren, isValidElement } from 'preact'
import { describe, expect, it } from 'vitest'
import { isolateRightToLeft } from './isolate-right-to-left.tsx'

/** What a page would show, with the elements that were put in. */
function written(children: ComponentChildren): string {
  if (Array.isArray(children)) return children.map(written).join('')
  if (!isValidElement(children)) return String(children)
  const { dir, children: inner } = children.props as { dir?: string; children?: ComponentChildren }
  return `<${String(children.type)} ${dir}>${written(inner)}</>`
}

describe('text in the order in which it is written', () => {
  it('P9: each word from right to left has an element of its own', () => {
    expect(written(isolateRightToLeft('cat \u05d0\u05d1 > \u05d2'))).toBe(
      'cat <bdi rtl>\u05d0\u05d1</> > <bdi rtl>\u05d2</>',
    )
  })

  it('P9: other text stays as it is', () => {
    expect(isolateRightToLeft('cat a > b, 中文')).toBe('cat a > b, 中文')
    expect(isolateRightToLeft('')).toBe('')
  })

  it('P9: no text makes so many elements that the page stands still', () => {
    const text = '\u05d0 > '.repeat(100_000)
    expect(written(isolateRightToLeft(text))).toBe(`<bdo ltr>${text}</>`)
  })
})
