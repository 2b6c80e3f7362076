import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AllowedFolder, createSessionFolders } from './folders.ts'

/** `shop`, `notes` and `data` side by side; sessions may work in the first two unless it says otherwise. */
function open(allowed = ['shop', 'notes'], own = ['data']) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-folders-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  for (const name of ['shop/web', 'shop/data', 'notes', 'data/media', 'other', 'far/notes'])
    mkdirSync(join(top, name), { recursive: true })
  const at = (path: string) => join(top, path)
  const list: AllowedFolder[] = allowed.map((path) => ({ path: at(path) }))
  const folders = createSessionFolders({ allowed: () => list, own: own.map(at), home: top })
  return { folders, at, list, find: (wanted: string) => folders.find(wanted).folder }
}

describe('the folder of a session', () => {
  it('is a path, absolute or from the first folder, or the last part of the name of one of them', () => {
    const { at, find } = open()
    expect(find(at('shop'))).toBe(at('shop'))
    expect(find(at('shop/web/../web'))).toBe(at('shop/web'))
    expect(find('web')).toBe(at('shop/web'))
    expect(find('notes')).toBe(at('notes'))
    expect(find('~/notes')).toBe(at('notes'))
  })

  it('P5: is one of those that are configured, or in one; the refusal lists them', () => {
    const { at, find } = open()
    for (const path of [at('other'), at('.'), '/', '..', '../other', at('shop/../other'), `${at('shop')}2`])
      expect(() => find(path), path).toThrow(at('notes'))
    writeFileSync(at('shop/file'), '')
    for (const path of ['nothing', 'file', '', '  ', 'a\0b', 'a\nb'])
      expect(() => find(path), JSON.stringify(path)).toThrow()
  })

  it.skipIf(!existsSync(tmpdir().toUpperCase()))(
    'P5: Banksman’s own is found where a name is written with other letters',
    () => {
      const { at, find } = open(['.'])
      expect(() => find(at('DATA'))).toThrow("Banksman's own")
      expect(find(at('SHOP'))).toBe(at('shop'))
    },
  )

  it('that isn’t there, or is Banksman’s own, isn’t among those that a refusal lists', () => {
    const { at, find } = open(['shop', 'gone', 'data'])
    expect(() => find(at('gone'))).toThrow(/sessions can work in \S*\/shop$/)
    expect(() => find(at('data'))).toThrow(/own; sessions can work in \S*\/shop$/)
    expect(() => open(['gone']).find('gone')).toThrow('no folder that the configuration names is there')
  })

  it('whose name two folders have must be named by its path', () => {
    const { at, find } = open(['notes', 'far/notes'])
    expect(() => find('notes')).toThrow(`name one by its path: ${at('notes')}, ${at('far/notes')}`)
    expect(find(at('far/notes'))).toBe(at('far/notes'))
  })

  it('P11: is never Banksman’s own, in it, or above it, however it is written', () => {
    const { at, find } = open(['.', 'shop', 'data'])
    symlinkSync(at('data'), at('shop/innocent'))
    symlinkSync(at('data/media'), at('shop/pictures'))
    for (const path of [at('data'), at('data/media'), at('shop/innocent'), at('shop/pictures')])
      expect(() => find(path), path).toThrow("Banksman's own")
    expect(() => find(at('.'))).toThrow('name a folder below it')
    expect(find(at('shop'))).toBe(at('shop'))
  })

  it('P11: is looked up each time: a link that was swapped since the start is found', () => {
    const { at, folders } = open(['shop', 'data'])
    symlinkSync(at('shop/web'), at('shop/link'))
    const { folder } = folders.find('link')
    expect(folder).toBe(at('shop/web'))
    rmSync(at('shop/web'), { recursive: true })
    symlinkSync(at('data'), at('shop/web'))
    expect(() => folders.check(folder)).toThrow("Banksman's own")
    rmSync(at('shop/web'))
    symlinkSync(at('shop/data'), at('shop/web'))
    expect(() => folders.check(folder)).toThrow('which is not where the session was started')
    rmSync(at('shop/web'))
    expect(() => folders.check(folder)).toThrow('there is no folder')
  })

  it('has the settings of the nearest folder that is configured', () => {
    const { at, folders, list } = open(['shop'])
    list.push({ path: at('shop/web'), settings: 'project' })
    expect(folders.find(at('shop/web'))).toEqual({ folder: at('shop/web'), settings: 'project' })
    expect(folders.find(at('shop'))).toEqual({ folder: at('shop') })
  })
})
