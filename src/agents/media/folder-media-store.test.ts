/** The media shelves: who can read what, and what they refuse. */
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolderMediaStore } from './folder-media-store.ts'
import { MAX_MEDIA_BYTES, type MediaStore } from './media-store.ts'
import { createMemoryMediaStore } from './memory-media-store.ts'

let base: string
const data = new Uint8Array([1, 2, 3])

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'banksman-media-'))
})
afterEach(() => rm(base, { recursive: true, force: true }))

describe.each<[string, () => MediaStore]>([
  ['in a folder', () => createFolderMediaStore(join(base, 'media'))],
  ['in memory', createMemoryMediaStore],
])('a shelf %s', (_, create) => {
  it('gives back what was put there, in that session only', async () => {
    const shelf = create()
    const item = await shelf.put('one', { type: 'image/png', data, name: 'a.png' })
    expect(item).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), type: 'image/png', name: 'a.png' })
    expect(await shelf.get('one', item.id)).toEqual({ item, data })
    expect(await shelf.get('two', item.id)).toBeUndefined()
    expect(await shelf.get('one', '0'.repeat(32))).toBeUndefined()
  })

  it.each([
    '',
    '..',
    '../x',
    `../${'0'.repeat(29)}`,
    'x'.repeat(32),
    '0'.repeat(32).concat('\n'),
    '__proto__',
    'a\0b',
  ])('P5: has nothing by the id %j', async (id) => {
    const shelf = create()
    await shelf.put('one', { type: 'image/png', data })
    expect(await shelf.get('one', id)).toBeUndefined()
  })

  it('keeps no type that a browser would run, and no name that hides something', async () => {
    const shelf = create()
    const put = (type: string, name = 'x') => shelf.put('one', { type, data, name })
    expect((await put('text/html')).type).toBe('application/octet-stream')
    expect((await put('image/svg+xml')).type).toBe('application/octet-stream')
    expect((await put('IMAGE/PNG; x=y')).type).toBe('image/png')
    expect((await put('image/png\r\nx: y')).type).toBe('application/octet-stream')
    expect((await put('image/png', '../../etc/a\u202egnp.exe\n')).name).toBe('agnp.exe')
    expect((await put('image/png', '..')).name).toBeUndefined()
    expect((await put('image/png', `${'é'.repeat(500)}.png`)).name).toMatch(/^é{100}….*\.png$/)
  })

  it('takes nothing that is too large, and not too many', async () => {
    const shelf = create()
    await expect(
      shelf.put('one', { type: 'image/png', data: new Uint8Array(MAX_MEDIA_BYTES + 1) }),
    ).rejects.toMatchObject({ code: 'too_large' })
    const results = await Promise.allSettled(
      Array.from({ length: 203 }, () => shelf.put('one', { type: 'image/png', data })),
    )
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3)
    await shelf.put('two', { type: 'image/png', data })
  })

  it('is not changed by who changes the bytes afterwards', async () => {
    const shelf = create()
    const mine = new Uint8Array([1, 2, 3])
    const { id } = await shelf.put('one', { type: 'image/png', data: mine })
    mine[0] = 9
    expect((await shelf.get('one', id))?.data).toEqual(data)
  })
})

describe('a shelf in a folder', () => {
  it('is for the server’s own user alone, whatever a session is called', async () => {
    const folder = join(base, 'media')
    const shelf = createFolderMediaStore(folder)
    const session = 'pet/../../x\0/ana'
    const { id } = await shelf.put(session, { type: 'image/png', data })
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const [place = ''] = await readdir(folder)
    expect((await stat(join(folder, place))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(join(folder, place))) {
      expect((await stat(join(folder, place, name))).mode & 0o777).toBe(0o600)
    }
    expect(await createFolderMediaStore(folder).get(session, id)).toMatchObject({ data })
  })

  it('P5: an item that says it is another session’s is not given', async () => {
    const folder = join(base, 'media')
    const shelf = createFolderMediaStore(folder)
    const { id } = await shelf.put('one', { type: 'image/png', data })
    const [place = ''] = await readdir(folder)
    const path = join(folder, place, `${id}.json`)
    const known = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify({ ...known, session: 'two' }))
    expect(await shelf.get('one', id)).toBeUndefined()
  })

  it('erases what is old, and only that', async () => {
    const folder = join(base, 'media')
    const shelf = createFolderMediaStore(folder)
    const old = await shelf.put('one', { type: 'image/png', data })
    const young = await shelf.put('one', { type: 'image/png', data })
    const [place = ''] = await readdir(folder)
    const then = (Date.now() - 60_000) / 1000
    await writeFile(join(folder, place, `${old.id}.abcd`), 'left by a crash')
    await writeFile(join(folder, 'not-ours'), 'x')
    for (const name of [old.id, `${old.id}.json`, `${old.id}.abcd`])
      await utimes(join(folder, place, name), then, then)
    expect(await shelf.eraseOlderThan(30_000)).toBe(1)
    expect(await shelf.get('one', old.id)).toBeUndefined()
    expect(await shelf.get('one', young.id)).toBeDefined()
    expect((await readdir(join(folder, place))).sort()).toEqual([young.id, `${young.id}.json`].sort())
    await shelf.eraseOlderThan(-60_000)
    expect(await readdir(folder)).toEqual(['not-ours'])
    expect(await createFolderMediaStore(join(base, 'none')).eraseOlderThan(0)).toBe(0)
  })
})
