import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { editArguments, readEdit } from './edit-arguments.ts'

const folder = mkdtempSync(join(tmpdir(), 'banksman-editor-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** An editor that is a script. It is given the file as its last argument. */
function editor(script: string): string {
  const file = join(folder, `editor-${Math.random()}.sh`)
  writeFileSync(file, script)
  return `sh ${file}`
}

const run = (script: string, args = { path: 'notes.txt' }, draft?: string) =>
  editArguments(args, draft, {
    PATH: process.env.PATH,
    EDITOR: editor(script),
    BANKSMAN_TOKEN: 'secret',
    BANKSMAN_DATA: 'x',
  })

describe('editArguments', () => {
  it('gives what the editor left in the file', async () => {
    expect(await run('sed -i s/notes/other/ "$1"')).toEqual({
      kind: 'arguments',
      arguments: { path: 'other.txt' },
    })
  })

  it('sees that nothing was changed, whatever the spaces', async () => {
    expect(await run('true')).toEqual({ kind: 'unchanged' })
    expect(await run(`echo ' { "path":"notes.txt"}' > "$1"`)).toEqual({ kind: 'unchanged' })
  })

  it('the file is readable for its owner alone, and gone afterwards', async () => {
    const seen = join(folder, 'seen')
    await run(`(ls -ld "$1"; ls -ld "$(dirname "$1")"; echo "$1") > ${seen}`)
    const [file, around, name] = readFileSync(seen, 'utf8').split('\n')
    expect(file).toMatch(/^-rw------- /)
    expect(around).toMatch(/^drwx------ /)
    expect(() => readFileSync(name!)).toThrow('ENOENT')
  })

  it('P11: the editor inherits nothing of ours', async () => {
    const seen = join(folder, 'environment')
    await run(`env > ${seen}`)
    expect(readFileSync(seen, 'utf8')).not.toContain('BANKSMAN_')
  })

  it('P9: hidden characters are written as escapes, and stay what they are', async () => {
    const seen = join(folder, 'hidden')
    expect(await run(`cp "$1" ${seen}`, { path: 'a\u202eb\u200b' })).toEqual({ kind: 'unchanged' })
    expect(readFileSync(seen, 'utf8')).toContain('a\\u202eb\\u200b')
  })

  it('goes on with a draft', async () => {
    expect(await run('true', { path: 'notes.txt' }, '{"path": "draft"}')).toEqual({
      kind: 'arguments',
      arguments: { path: 'draft' },
    })
  })

  it('an editor that fails or is not there changes nothing', async () => {
    expect(await run('echo "{}" > "$1"; exit 3')).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('exit code 3'),
    })
    const missing = await editArguments({}, undefined, { PATH: '', EDITOR: 'no-such-editor' })
    expect(missing).toMatchObject({ kind: 'failed', why: expect.stringContaining('exit code 127') })
  })
})

describe('readEdit', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate keys'],
    ['{"a":12345678901234567890}', 'a number that a double can’t hold'],
    ['{"a":', 'half a text'],
    ['[]', 'a list'],
    ['', 'nothing'],
  ])('P3: refuses %s (%s) and keeps the text', (text) => {
    expect(readEdit(text, {})).toMatchObject({ kind: 'failed', text })
  })
})
