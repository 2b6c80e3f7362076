import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize, type JsonObject, type JsonValue } from '../core/json/json.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { Block, DiffBlock, TextBlock } from '../core/rendering.ts'
import { childPointer } from './masks/json-pointer.ts'
import { renderArguments, renderCall } from './render.ts'
import type { Rendering } from './rendering.ts'

const TOKEN = `ghp_${'aB3dE6'.repeat(6)}`

const render = (tool: string, args: JsonObject, options = {}): Rendering =>
  renderCall({ tool, arguments: args }, options)
const textBlock = (block: Block | undefined): TextBlock => {
  if (block === undefined || block.kind === 'diff') throw new Error('not a text block')
  return block
}
const diffBlock = (block: Block | undefined): DiffBlock => {
  if (block?.kind !== 'diff') throw new Error('not a diff')
  return block
}
const rows = (block: Block | undefined): string[] =>
  diffBlock(block).rows.map((row) =>
    'value' in row ? `${{ same: ' ', removed: '-', added: '+' }[row.kind]}${row.value.text}` : row.text,
  )
const file = (text: string, resolved = '/w/a.ts') => ({
  facts: { paths: { '/path': { resolved, exists: true, text } } },
})

describe('renderCall', () => {
  it('P9: a command is a block of code, the rest are fields', () => {
    const rendering = renderCall({
      tool: 'Bash',
      arguments: { command: 'ls\nrm x', timeout: 30 },
      cwd: '/srv',
    })
    expect(rendering).toMatchObject({
      shape: 'command',
      tool: 'Bash',
      intent: 'other',
      title: 'Bash: ls⟨LF⟩rm x',
      summary: 'Bash: ls⟨LF⟩rm x',
      fields: [
        { label: 'Working folder', value: { text: '/srv' } },
        { label: 'timeout', pointer: '/timeout', value: { text: '30' } },
      ],
      blocks: [
        {
          kind: 'code',
          label: 'command',
          pointers: ['/command'],
          language: 'shell',
          value: { text: 'ls\nrm x' },
        },
      ],
      warnings: [],
    })
  })

  it('P9: a file that is not known is shown as its content', () => {
    const { blocks, summary } = render('Write', { path: 'a.ts', content: 'one\ntwo\n' })
    expect(blocks).toMatchObject([
      { kind: 'code', label: 'content', language: 'typescript', value: { text: 'one\ntwo\n' } },
    ])
    expect(summary).toBe('Write: a.ts (2 lines)')
  })

  it('P9: a new file and a file whose text is not known say so', () => {
    const args = { path: '/w/a.ts', content: 'one' }
    const fact = (exists: boolean) => ({ facts: { paths: { '/path': { resolved: '/w/a.ts', exists } } } })
    expect(render('Write', args, fact(false)).blocks[0]!.label).toBe('content (a new file)')
    expect(render('Write', args, fact(true)).blocks[0]!.label).toBe('content (replaces the file)')
  })

  it('P9: a file that is known is shown as a difference', () => {
    const { blocks } = render('Write', { path: '/w/a.ts', content: 'a\nB\nc\n' }, file('a\nb\nc\n'))
    expect(rows(blocks[0])).toEqual([' a', '-b', '+B', ' c'])
  })

  it('P9: lines that stay the same are left out with a mark', () => {
    const before = Array.from({ length: 20 }, (_, index) => `${index}\n`).join('')
    const { blocks } = render(
      'Write',
      { path: '/w/a.ts', content: before.replace('10\n', 'ten\n') },
      file(before),
    )
    expect(rows(blocks[0])).toEqual([
      '⟨… 7 unchanged lines left out⟩',
      ...[' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'],
      '⟨… 6 unchanged lines left out⟩',
    ])
  })

  it('P9: an edit is a difference, within the file where that is known', () => {
    const args = { path: '/w/a.ts', old_string: 'b', new_string: 'B' }
    expect(rows(render('Edit', args).blocks[0])).toEqual(['-b', '+B'])
    const known = render('Edit', args, file('a\nb\nc\n'))
    expect(rows(known.blocks[0])).toEqual([' a', '-b', '+B', ' c'])
    expect(known.summary).toBe('Edit: /w/a.ts (+1 −1)')
  })

  it('P9: an edit of text that is not in the file, or there twice, says so and shows both texts', () => {
    for (const text of ['nothing\n', 'b b\n']) {
      const { blocks, warnings } = render(
        'Edit',
        { path: '/w/a.ts', old_string: 'b', new_string: 'B' },
        file(text),
      )
      expect(rows(blocks[0])).toEqual(['-b', '+B'])
      expect(warnings).toEqual([expect.stringContaining("isn't in the current file")])
    }
  })

  it('P9: an edit everywhere in a file shows every place', () => {
    const args = { path: '/w/a.ts', old_string: 'b', new_string: 'B', replace_all: true }
    expect(rows(render('Edit', args, file('b\nx\nb\n')).blocks[0])).toEqual(['-b', '+B', ' x', '-b', '+B'])
  })

  it('P9: an edit that would grow beyond all bounds is shown as its two texts', () => {
    const args = { path: '/w/a.ts', old_string: 'b', new_string: 'x'.repeat(500_000), replace_all: true }
    const { blocks, warnings } = render('Edit', args, file('b'.repeat(100_000)))
    expect(diffBlock(blocks[0]).rows[0]).toMatchObject({ kind: 'removed', value: { text: 'b' } })
    expect(warnings).toEqual([expect.stringContaining('shortened')])
  })

  it('P9: a list of edits shows each one and what else it says', () => {
    const edits = [
      { old_string: 'a', new_string: 'A', replace_all: true },
      { old_string: 'b', new_string: '' },
    ]
    const { blocks, fields } = render('MultiEdit', { path: 'x', edits })
    expect(blocks.map(rows)).toEqual([
      ['-a', '+A'],
      ['-b', '+'],
    ])
    expect(fields.map((field) => [field.label, field.value.text])).toContainEqual([
      'edits/0/replace_all',
      'true',
    ])
  })

  it('P9: whether a piece of text ends in a line break can be seen', () => {
    expect(rows(render('Edit', { old_string: 'a', new_string: 'b\n' }).blocks[0])).toEqual(['-a', '+b', '+'])
  })

  it('P9: where a path really leads is shown', () => {
    const { fields } = render('Write', { path: 'a.ts', content: '' }, file('', '/etc/passwd'))
    expect(fields).toContainEqual(
      expect.objectContaining({
        label: 'path, in full',
        value: expect.objectContaining({ text: '/etc/passwd' }),
      }),
    )
  })

  it('P9: nested values are JSON, with masks that no quoted text can imitate', () => {
    const forged = '⟨masked: GitHub token, 40 characters⟩'
    const { blocks, masks, warnings } = render('http', { headers: { a: forged, b: TOKEN } })
    expect(textBlock(blocks[0]).value.text).toBe(
      '{\n  "a": "⟨U+27E8⟩masked: GitHub token, 40 characters⟩",\n  "b": ⟨masked: GitHub token, 40 characters⟩\n}',
    )
    expect(masks).toMatchObject([{ pointer: '/headers/b' }])
    expect(warnings).toEqual(['One secret is masked'])
  })

  it('P9: a line break and what only looks like its escape differ', () => {
    const [real, typed] = ['x\ny', 'x\\ny'].map(
      (text) => textBlock(render('t', { a: { b: text } }).blocks[0]).value.text,
    )
    expect(real).toBe('{\n  "b": "x\\ny"\n}')
    expect(typed).toBe('{\n  "b": "x\\\\ny"\n}')
  })

  it('P9: a masked field says its kind and length', () => {
    expect(render('login', { token: TOKEN }).fields).toMatchObject([
      { label: 'token', masked: { kind: 'GitHub token', length: 40 }, value: { spans: [{ kind: 'mask' }] } },
    ])
  })

  it('P9: a secret is nowhere in the rendering', () => {
    const shapes: JsonObject[] = [
      { token: TOKEN },
      { path: 'x', content: TOKEN },
      { old_string: TOKEN, new_string: 'x' },
      { edits: [{ old_string: 'x', new_string: TOKEN }] },
      { list: [[TOKEN]] },
    ]
    for (const args of shapes) expect(JSON.stringify(render('t', args))).not.toContain(TOKEN)
    expect(JSON.stringify(renderArguments({ a: [TOKEN] }))).not.toContain(TOKEN)
  })

  it('P9: a text is told from a number, a constant and nothing', () => {
    const { fields } = render('t', {
      a: '5',
      b: 5,
      c: 'true',
      d: true,
      e: '',
      f: null,
      g: ' x',
      h: '"x"',
      i: '[]',
      j: [],
    })
    expect(fields.map((field) => field.value.text)).toEqual([
      ...['"5"', '5', '"true"', 'true', '""', 'null', '" x"', '"\\"x\\""', '"[]"', '[]'],
    ])
  })

  it('P9: no key and no tool can pass for words of ours', () => {
    const { fields, tool } = render('Bash\n! none', {
      'Working folder': '/',
      'x, in full': '/',
      ключ: 1,
    })
    expect(fields.map((field) => field.label)).toEqual(['"Working folder"', '"x, in full"', '"ключ"'])
    expect(tool).toBe('"Bash\\n! none"')
  })

  it('P9: a tool named like markup is text', () => {
    expect(render('<script>alert(1)</script>', {}).tool).toBe('"<script>alert(1)</script>"')
  })

  it('P9: warns of what is hidden, mixed, written from the right, masked and shortened', () => {
    const { warnings } = render('t', {
      a: '\u202e\u202ex\u200b',
      b: 'p\u0430ypal',
      c: 'שלום',
      token: TOKEN,
      long: 'x'.repeat(20_000),
      nested: { deep: 'y\u001bz' },
    })
    expect(warnings).toEqual([
      'Hidden characters, spelled out in brackets: right-to-left override ×2, zero-width space, escape',
      'Words with look-alike characters: p\u0430ypal⟨Latin+Cyrillic⟩',
      'Right-to-left text: the order on the screen may differ from the order in which it runs',
      'One secret is masked',
      'One value is shortened; view it in full',
    ])
  })

  it('P9: warns of hidden characters in keys, tool names and removed lines too', () => {
    expect(render('a\u200b', {}).warnings).toHaveLength(1)
    expect(render('a', { 'k\u200b': 1 }).warnings).toHaveLength(1)
    expect(render('a', { old_string: 'x\u200b', new_string: 'x' }).warnings).toHaveLength(1)
  })

  it('P9: speaks Chinese', () => {
    const known = { isKnown: true, acting: [], kind: 'shell' } as const
    expect(render('Bash', { command: 'ls' }, { locale: 'zh', known }).title).toBe('执行 ls')
    const { warnings } = render('Bash', { token: TOKEN }, { locale: 'zh' })
    expect(warnings).toEqual(['有 1 处机密已遮盖'])
  })

  it('P9: a megabyte is shortened with a mark, and whole on request', () => {
    const command = `echo start; ${'x'.repeat(1 << 20)}; rm -rf /`
    const short = textBlock(render('Bash', { command }).blocks[0])
    expect(short.shortened).toEqual({ leftOut: command.length - 16_000, total: command.length })
    expect(short.value.text).toMatch(/^echo start.*⟨… 1,032,\d{3} characters left out⟩x+; rm -rf \/$/)
    const whole = textBlock(render('Bash', { command }, { limit: Number.POSITIVE_INFINITY }).blocks[0])
    expect(whole.value.text).toBe(command)
    expect(whole.shortened).toBeUndefined()
  })

  it('P9: a long difference and a long line in it are shortened with marks', () => {
    const { blocks, warnings } = render(
      'Edit',
      { old_string: 'a\n'.repeat(5000), new_string: `${'b'.repeat(20_000)}` },
      { limit: 1000 },
    )
    const { rows: all, shortened, removed } = diffBlock(blocks[0])
    expect(removed).toBe(5001)
    expect(all.find((row) => row.kind === 'left-out')).toMatchObject({ count: shortened!.leftOut })
    expect(all.filter((row) => 'value' in row).length + shortened!.leftOut).toBe(5002)
    expect(rows(blocks[0]).at(-1)).toMatch(/^\+b+⟨… 19,750 characters left out⟩b+$/)
    expect(warnings).toEqual(['2 values are shortened; view them in full'])
  })

  it('P9: a mask at the edge of a shortened tree is shown whole or not at all', () => {
    for (let limit = 40; limit < 200; limit++) {
      const { blocks } = render('t', { list: Array.from({ length: 20 }, () => TOKEN) }, { limit })
      const { value, shortened } = textBlock(blocks[0])
      const shown = value.spans
        .filter((span) => span.kind !== 'left-out')
        .reduce((sum, span) => sum + span.text.length, 0)
      expect(shown + shortened!.leftOut).toBe(shortened!.total)
      expect(shortened!.leftOut).toBeGreaterThan(0)
      expect(value.text.replace(/⟨masked: GitHub token(?: #\d+)?, 40 characters⟩/g, '')).not.toContain(
        'masked',
      )
    }
  })

  it('P9: every argument is shown exactly once', () => {
    const key = fc.oneof(
      fc.constantFrom('command', 'path', 'content', 'old_string', 'new_string', 'edits', '__proto__', 'a/b'),
      fc.string(),
    )
    const value = fc.oneof(
      fc.string(),
      fc.constant(TOKEN),
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(
        fc.record(
          { old_string: fc.string(), new_string: fc.string(), extra: fc.jsonValue() },
          { requiredKeys: ['old_string', 'new_string'] },
        ),
      ),
    )
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 8 }), (raw) => {
        const args = parseJson<JsonObject>(canonicalize(raw))
        const { fields, blocks } = render('t', args)
        const places = [
          ...fields.map((field) => field.pointer!),
          ...blocks.flatMap((block) => block.pointers),
        ]
        expect(new Set(places).size).toBe(places.length)
        for (const name of Object.keys(args)) {
          const pointer = childPointer('', name)
          // A list of edits is covered member by member.
          const leaves = name === 'edits' && !places.includes(pointer) ? membersOf(args.edits) : [pointer]
          for (const leaf of leaves) expect(places).toContain(leaf)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('P9: members beyond the hundredth are in one block', () => {
    const args = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, index]))
    const { fields, blocks } = render('t', args)
    expect(fields).toHaveLength(100)
    expect(textBlock(blocks[0])).toMatchObject({ kind: 'json', label: '50 more arguments' })
    expect(textBlock(blocks[0]).value.text).toContain('"k149": 149')
  })

  it('P9: what the tool says of itself is shown as its word', () => {
    const { fields } = renderCall({ tool: 't', arguments: {}, definition: { description: 'Safe.\nReally.' } })
    expect(fields).toMatchObject([{ label: 'Tool description', value: { text: 'Safe.⟨LF⟩Really.' } }])
  })

  it('P9: the summary is one line, with a mark where it is not all', () => {
    expect(render('deploy', { environment: 'production', service: 'api' }).summary).toBe(
      'deploy: environment=production, service=api',
    )
    expect(render('t', { a: 1, b: { c: 1 } }).summary).toBe('t: a=1, ⟨… 1 argument left out⟩')
    expect(render('t', { a: { b: 1 }, query: 'SELECT 1\nFROM x', n: 2 }).summary).toBe(
      't: n=2, query=SELECT 1⟨LF⟩FROM x, ⟨… 1 argument left out⟩',
    )
    expect(render('t', { body: 'y'.repeat(900) }).summary).toMatch(
      /^t: body=y{50,}⟨… \d+ characters left out⟩y+$/,
    )
    expect(render('t', {}).summary).toBe('t: no arguments')
    expect(render('Bash', { command: 'x'.repeat(500) }).summary).toContain('⟨… 340 characters left out⟩')
  })

  it('P9: the summary of a program has its arguments in it, with a mark where it is not all', () => {
    const summaryOf = (args: JsonObject['x'][]) => render('exec', { command: 'git', args }).summary
    expect(summaryOf(['push', '--force', 'a b'])).toBe("exec: git push --force 'a b'")
    expect(summaryOf([])).toBe('exec: git')
    expect(summaryOf(['a\u202eb'])).toBe("exec: git $'a\\u202eb'")
    expect(summaryOf(['push', TOKEN])).toMatch(/^exec: git push ⟨masked: [^⟩]+⟩$/)
    expect(summaryOf(['push', { to: TOKEN }, 'x'])).toBe('exec: git push ⟨… 2 arguments left out⟩')
    expect(summaryOf(['push', TOKEN, 3])).toMatch(/^exec: git push ⟨masked: [^⟩]+⟩ ⟨… 1 argument left out⟩$/)
    expect(summaryOf(['-c', 'x'.repeat(500)])).toContain('characters left out⟩')
    const many = summaryOf(Array.from({ length: 500 }, (_, index) => `word${index}`))
    expect(many).toMatch(/^exec: git word0 .*⟨… [0-9,]+ characters left out⟩.* word499$/)
    expect(many.length).toBeLessThan(250)
  })

  it('P9: the same call is rendered the same', () => {
    const args = { a: 'x', b: [1, TOKEN], command: 'p\u0430ypal' }
    expect(render('t', structuredClone(args))).toEqual(render('t', args))
  })
})

function membersOf(edits: unknown): string[] {
  return (edits as JsonObject[]).flatMap((entry, index) =>
    Object.keys(entry).map((name) => childPointer(`/edits/${index}`, name)),
  )
}

describe('what lies deep', () => {
  it('is not moved further and further to the right, so that many such lines stay small', () => {
    let value: JsonValue = Array<JsonValue>(1000).fill(1)
    for (let depth = 0; depth < 60; depth++) value = [value]
    const { blocks } = renderCall({ tool: 'x', arguments: { value } }, { limit: 1_000_000 })
    const text = JSON.stringify(blocks)
    expect(text.length).toBeLessThan(80_000)
    expect(text).not.toContain(' '.repeat(25))
  })
})
