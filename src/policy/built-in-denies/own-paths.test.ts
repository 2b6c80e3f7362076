import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../../core/call.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Facts } from '../../core/verdict.ts'
import { createSubject } from '../subject/subject.ts'
import { compileCatalogue } from '../tools/catalogue.ts'
import { compileBuiltInDenies } from './compile-built-in-denies.ts'

const denies = compileBuiltInDenies({
  files: ['/srv/app/banksman.yaml'],
  untouchable: ['/srv/app/data.db', '/srv/app/data.db-wal'],
  folders: ['/srv/app/.banksman'],
  addresses: ['127.0.0.1:4790'],
  program: 'banksman',
})
const FILES = 'built-in: own files'

describe('built-in denies: file tools', () => {
  it('lets readers read the configuration', () => {
    for (const path of ['banksman.yaml', '/srv/app/banksman.yaml', './src/../banksman.yaml', 'ban*']) {
      expect(rule('read_file', { path }), path).toBeUndefined()
      expect(rule('Read', { file_path: path }), path).toBeUndefined()
      expect(rule('Grep', { pattern: 'mode', path }), path).toBeUndefined()
    }
    expect(rule('Glob', { pattern: 'banksman.y*' })).toBeUndefined()
    expect(
      rule('Read', { file_path: 'conf' }, linked('/file_path', '/srv/app/banksman.yaml')),
    ).toBeUndefined()
  })

  it('P11: but nothing that may not even be read', () => {
    for (const path of ['.banksman/agent-token', '.banksman', 'data.db', '/srv/app/data.db-wal', '.bank*']) {
      expect(rule('read_file', { path }), path).toBe(FILES)
      expect(rule('Read', { file_path: path }), path).toBe(FILES)
      expect(rule('Grep', { pattern: 'x', path }), path).toBe(FILES)
    }
    expect(rule('Grep', { pattern: 'x', glob: '.banksman/**' })).toBe(FILES)
    expect(rule('Read', { file_path: 'x' }, linked('/file_path', '/srv/app/.banksman/x'))).toBe(FILES)
    expect(rule('Read', { file_path: 'x' }, linked('/file_path', '/srv/app/data.db'))).toBe(FILES)
  })

  it('P11: and no tool that is not known to be a reader, or says of itself that it is none', () => {
    const path = '/srv/app/banksman.yaml'
    for (const tool of ['write_file', 'edit_file', 'append_file', 'read_config', 'my_reader', 'open']) {
      expect(rule(tool, { path }), tool).toBe(FILES)
    }
    expect(rule('Edit', { file_path: path })).toBe(FILES)
    expect(rule('Edit', { file_path: 'conf' }, linked('/file_path', path))).toBe(FILES)
    const definition: ToolDefinition = { annotations: { readOnlyHint: false } }
    expect(rule('Read', { file_path: path }, undefined, definition)).toBe(FILES)
  })
})

describe('built-in denies: tools that remove or move', () => {
  const INSIDE = 'built-in: own files inside'

  it('P11: take along what lies in a folder', () => {
    for (const [tool, args] of [
      ['delete_directory', { path: '.' }],
      ['remove_folder', { path: '/srv' }],
      ['move_file', { source: '/srv/app', destination: '/tmp/x' }],
      ['rename', { old_path: '../app', new_path: 'x' }],
      ['delete_files', { paths: ['src', '..'] }],
      ['mcp__fs__delete', { dir: './' }],
    ] satisfies [string, JsonObject][]) {
      expect(rule(tool, args), JSON.stringify([tool, args])).toBe(INSIDE)
    }
    expect(rule('delete_directory', { path: 'x' }, linked('/path', '/srv'))).toBe(INSIDE)
  })

  it('and leave alone what does not', () => {
    for (const [tool, args] of [
      ['delete_directory', { path: 'dist' }],
      ['delete_file', { path: 'src/a.ts', root: '/srv/app' }],
      ['move_file', { source: 'src/a.ts', destination: '.' }],
      ['list_dir', { path: '.' }],
      ['create_directory', { path: '/srv/app' }],
      ['remove_label', { label: '.' }],
    ] satisfies [string, JsonObject][]) {
      expect(rule(tool, args), JSON.stringify([tool, args])).toBeUndefined()
    }
  })
})

function linked(pointer: string, resolved: string): Facts {
  return { paths: { [pointer]: { resolved, exists: true } } }
}

function rule(
  tool: string,
  args: JsonObject,
  facts?: Facts,
  definition?: ToolDefinition,
): string | undefined {
  const entry = compileCatalogue({}).find(tool, definition)
  return denies(createSubject({ tool, arguments: args, cwd: '/srv/app' }, facts, entry))?.rule
}
