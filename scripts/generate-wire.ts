/**
 * Writes src/wire/types from the schemas in src/wire: an interface or a type for each schema that `named` gives a name, with
 * what `describe` says as its comment. The client and the inbox import these types and load no library. Run it after a schema
 * was changed; a test says when.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { typeNames } from '../src/wire/named.ts'

const WIRE = join(import.meta.dirname, '../src/wire')
const WIDTH = 110

/** The text of each file in `wire/types`, by its name. */
export async function generateWire(): Promise<Record<string, string>> {
  const modules = readdirSync(WIRE).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const declared = new Map<string, { file: string; schema: z.ZodType }>()
  for (const file of modules) {
    for (const value of Object.values(await import(join(WIRE, file)))) {
      if (!(value instanceof z.ZodType) || !typeNames.has(value)) continue
      const { name, from } = typeNames.get(value)!
      if (from === undefined && isDeclaredIn(file, name)) declared.set(name, { file, schema: value })
    }
  }
  const files: Record<string, string> = {}
  for (const file of modules) {
    const text = readFileSync(join(WIRE, file), 'utf8')
    const types = [...declared]
      .filter(([, type]) => type.file === file)
      .sort(([one], [other]) => text.indexOf(`'${one}'`) - text.indexOf(`'${other}'`))
    if (types.length > 0) files[file] = writeFile(file, types, (name) => declared.get(name)?.file)
  }
  return files
}

/** A schema may be exported by several files; its type belongs to the one that names it. */
function isDeclaredIn(file: string, name: string): boolean {
  return new RegExp(`(named|[oO]bject)\\(\\s*'${name}'`).test(readFileSync(join(WIRE, file), 'utf8'))
}

function writeFile(
  file: string,
  types: [string, { schema: z.ZodType }][],
  fileOf: (name: string) => string | undefined,
): string {
  const imports = new Map<string, Set<string>>()
  const refer = (name: string, from: string | undefined) => {
    const at = from === undefined ? `./${fileOf(name)}` : `../../${from}`
    if (from === '' || at === `./${file}`) return
    if (at === './undefined') throw new Error(`${name}: no exported schema of src/wire has this name`)
    imports.set(at, (imports.get(at) ?? new Set()).add(name))
  }
  const declarations = types.map(([name, { schema }]) => declare(name, schema, refer))
  const lines = [...imports].sort(byPath).map(([at, names]) => importLine([...names].sort(), at))
  return `/** Written by \`npm run generate:wire\` from src/wire/${file}; don't edit. */
// biome-ignore-all format: written by a program
${lines.length === 0 ? '' : `${lines.join('\n')}\n`}
${declarations.join('\n')}`
}

/** As the linter sorts them: the farthest folder first. */
function byPath([one]: [string, unknown], [other]: [string, unknown]): number {
  const steps = (path: string) => path.split('../').length
  return steps(other) - steps(one) || (one < other ? -1 : 1)
}

function importLine(names: string[], at: string): string {
  const line = `import type { ${names.join(', ')} } from '${at}'`
  return line.length <= WIDTH
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from '${at}'`
}

type Refer = (name: string, from: string | undefined) => void

function declare(name: string, schema: z.ZodType, refer: Refer): string {
  const doc = commentOf(z.globalRegistry.get(schema)?.description, '')
  const inner = definitionOf(schema)
  if (inner.type === 'object') return `${doc}export interface ${name} ${membersOf(inner, '', refer, true)}\n`
  return `${doc}export type ${name} =${printOwn(schema, '', refer)}\n`
}

/** A type in place: the name of a schema that has one, or all that it consists of. */
function print(schema: z.ZodType, indent: string, refer: Refer): string {
  const named = typeNames.get(schema)
  if (named === undefined) return printOwn(schema, indent, refer).trimStart()
  refer(named.name, named.from)
  return named.name
}

function printOwn(schema: z.ZodType, indent: string, refer: Refer): string {
  const definition = definitionOf(schema)
  const inside = (inner: z.ZodType) => print(inner, indent, refer)
  switch (definition.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
    case 'null':
      return ` ${definition.type}`
    case 'int':
      return ' number'
    case 'literal':
      return ` ${definition.values.map(quote).join(' | ')}`
    case 'enum':
      return ` ${Object.values(definition.entries).map(quote).join(' | ')}`
    case 'nullable':
      return ` ${inside(definition.innerType)} | null`
    case 'array':
      return ` ${inParentheses(inside(definition.element))}[]`
    case 'record': {
      const [key, value] = [inside(definition.keyType), inside(definition.valueType)]
      return key === 'string' ? ` Record<string, ${value}>` : ` Partial<Record<${key}, ${value}>>`
    }
    case 'object':
      return ` ${membersOf(definition, indent, refer)}`
    case 'intersection':
      return ` ${inside(definition.left)} & ${inParentheses(inside(definition.right))}`
    case 'union':
      return unionOf(definition.options, indent, refer)
    case 'pipe':
      return ` ${inside(definition.in)}`
    case 'default':
      return ` ${inside(definition.innerType)}`
    default:
      throw new Error(`no type is known for a schema of the kind ${schema._zod.def.type}`)
  }
}

function unionOf(options: z.ZodType[], indent: string, refer: Refer): string {
  const docs = options.map((option) => commentOf(describedIn(option), `${indent}  `))
  const line = ` ${options.map((option) => print(option, indent, refer)).join(' | ')}`
  if (docs.every((doc) => doc === '') && !line.includes('\n') && fits(line, indent)) return line
  return options
    .map((option, index) => {
      const own = `${indent}  `
      return `\n${docs[index]}${own}| ${print(option, `${own}  `, refer)}`
    })
    .join('')
}

function membersOf(definition: ObjectDefinition, indent: string, refer: Refer, isDeclared = false): string {
  const own = `${indent}  `
  const members = Object.entries(definition.shape).map(([key, schema]) => {
    const isOptional = schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault
    const type = print(isOptional ? (schema.def.innerType as z.ZodType) : schema, own, refer)
    return { doc: commentOf(describedIn(schema), own), text: `${key}${isOptional ? '?' : ''}: ${type}` }
  })
  if (definition.catchall?.def.type === 'unknown')
    members.push({ doc: '', text: '[member: string]: unknown' })
  const line = `{ ${members.map(({ text }) => text).join('; ')} }`
  const isShort = members.every(({ doc, text }) => doc === '' && !text.includes('\n')) && fits(line, own)
  if (isShort && !isDeclared) return line
  return `{\n${members.map(({ doc, text }) => `${doc}${own}${text}\n`).join('')}${indent}}`
}

/** What is said of a schema where it is used, and not of its type wherever it is. */
function describedIn(schema: z.core.$ZodType): string | undefined {
  if (typeNames.has(schema)) return undefined
  const description = z.globalRegistry.get(schema)?.description
  const { parent } = schema._zod
  if (parent !== undefined && z.globalRegistry.get(parent)?.description === description)
    return describedIn(parent)
  if (description !== undefined) return description
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType }
  return innerType === undefined ? undefined : describedIn(innerType)
}

function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined) return ''
  const line = `${indent}/** ${text} */\n`
  if (line.length <= WIDTH + 10) return line
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > WIDTH) lines.push(`${indent} * ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`
}

function fits(line: string, indent: string): boolean {
  return indent.length + line.length <= WIDTH - 12
}

function inParentheses(type: string): string {
  if (type.startsWith('|')) return `(\n  ${type}\n)`
  return / [|&] /.test(type.replace(/\{.*\}|<.*>/gs, '')) ? `(${type})` : type
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

interface ObjectDefinition {
  type: 'object'
  shape: Record<string, z.ZodType>
  catchall?: z.ZodType
}

type Definition =
  | ObjectDefinition
  | { type: 'string' | 'number' | 'boolean' | 'unknown' | 'null' | 'int' }
  | { type: 'literal'; values: unknown[] }
  | { type: 'enum'; entries: Record<string, string> }
  | { type: 'nullable' | 'default'; innerType: z.ZodType }
  | { type: 'array'; element: z.ZodType }
  | { type: 'record'; keyType: z.ZodType; valueType: z.ZodType }
  | { type: 'intersection'; left: z.ZodType; right: z.ZodType }
  | { type: 'union'; options: z.ZodType[] }
  | { type: 'pipe'; in: z.ZodType }

function definitionOf(schema: z.core.$ZodType): Definition {
  return schema._zod.def as unknown as Definition
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generateWire()))
    writeFileSync(join(WIRE, 'types', file), text)
}
