/** Makes a hostile call: a tool, and somewhere in it a text, a list or an object that is long, deep or repeats itself. */
import { anyLine } from './program-lines.ts'
import type { Random } from './random.ts'
import type { Recipe } from './recipe.ts'
import { ADDRESSES, OPENING, PATHS, PROSE, SECRETS, SHELL, WRAPPERS } from './vocabulary.ts'

export type CallRecipe = Record<string, Recipe>

/** Characters of the canonical call, a little below what is let in. */
const LONGEST = 1_000_000
const SHORTEST = 1_000

export function makeCall(random: Random): CallRecipe {
  const where = random.below(100)
  if (where < 45) return shellCall(random)
  if (where < 65) return fileCall(random)
  if (where < 72)
    return { tool: random.pick(['WebFetch', 'fetch_url']), arguments: { url: text(random, ADDRESSES) } }
  if (where < 90) return strangeCall(random)
  return fieldsCall(random)
}

function shellCall(random: Random): CallRecipe {
  const command = text(random, SHELL)
  switch (random.below(8)) {
    case 0:
      return {
        tool: 'exec',
        arguments: {
          command: random.pick(['git', 'sh', 'env', 'cat', 'find']),
          arguments: list(random, shortText(random, SHELL)),
        },
      }
    case 1:
      return { tool: 'exec', arguments: { command, cwd: text(random, PATHS, 4096) } }
    case 2:
      return {
        tool: 'Bash',
        arguments: {
          command: {
            $join: [{ $repeat: random.pick(WRAPPERS), times: times(random, 8) }, shortText(random, SHELL)],
          },
        },
      }
    case 3:
      return {
        tool: 'Bash',
        arguments: {
          command: {
            $join: [
              `${random.pick(['git add', 'cat', 'rm', 'echo', 'sudo rm', 'sh -c', 'find', 'cp', 'curl', 'grep -r', 'tar xf'])} `,
              text(random, PATHS),
            ],
          },
        },
      }
    case 4:
    case 5:
      return programCall(random)
    default:
      return { tool: 'Bash', arguments: { command } }
  }
}

/** What one program takes, again and again. */
export function programCall(random: Random): CallRecipe {
  return { tool: 'Bash', arguments: { command: anyLine(random) } }
}

function fileCall(random: Random): CallRecipe {
  const path = random.below(2) === 0 ? text(random, PATHS) : 'src/a.ts'
  const content = text(random, random.pick([PROSE, SECRETS, SHELL]))
  switch (random.below(8)) {
    case 0:
      return { tool: 'Write', arguments: { file_path: path, content } }
    case 1:
      return {
        tool: 'Edit',
        arguments: { file_path: path, old_string: content, new_string: text(random, PROSE) },
      }
    case 2:
      return { tool: 'edit_file', arguments: { path, old: content, new: text(random, PROSE) } }
    case 3:
      return {
        tool: 'MultiEdit',
        arguments: {
          file_path: path,
          edits: list(random, { old_string: shortText(random, PROSE), new_string: 'b#' }),
        },
      }
    case 4:
      return { tool: 'Glob', arguments: { pattern: text(random, PATHS), path } }
    case 5:
      return { tool: 'Grep', arguments: { pattern: text(random, SHELL), glob: text(random, PATHS), path } }
    case 6:
      return {
        tool: random.pick(['Read', 'LS', 'read_file', 'list_dir']),
        arguments: { file_path: path, path: text(random, PATHS) },
      }
    default:
      return { tool: 'write_file', arguments: { path: text(random, PATHS), content } }
  }
}

/** A tool that nobody knows, with anything for arguments. */
function strangeCall(random: Random): CallRecipe {
  const vocabulary = random.pick([PROSE, SECRETS, SHELL, PATHS, ADDRESSES])
  const short = shortText(random, vocabulary)
  const value = random.pick<() => Recipe>([
    () => text(random, vocabulary),
    () => list(random, short),
    () => ({ $keys: 'k#', value: short, times: times(random, 30) }),
    () => ({ $keys: { $join: ['password', '#'] }, value: 'hunter2#', times: times(random, 30) }),
    () => ({ $keys: { $join: [short, '#'] }, value: 1, times: times(random, 30) }),
    () => ({ $nest: 'a', value: text(random, vocabulary), times: random.size(2, 70) }),
    () => ({ $nest: '', value: list(random, 1), times: random.size(2, 70) }),
    () => list(random, { a: short, b: [1, 2] }),
    () => ({ $keys: text(random, vocabulary, 300_000), value: 1, times: 2 }),
  ])()
  const members: CallRecipe = { text: value }
  if (random.below(3) === 0) members.url = text(random, ADDRESSES, 100_000)
  if (random.below(3) === 0) members.path = text(random, PATHS, 100_000)
  return {
    tool: random.pick(['send_mail', 'deploy', 'notes_write', 'ask_user_question', 'x']),
    arguments: members,
  }
}

/** What surrounds the arguments. */
function fieldsCall(random: Random): CallRecipe {
  const call: CallRecipe = { tool: 'deploy', arguments: { text: 'a' } }
  const any = () => text(random, random.pick([PROSE, SECRETS, SHELL, PATHS]), 16_000)
  const fields: (() => void)[] = [
    () => (call.tool = text(random, random.pick([PROSE, PATHS]), 250)),
    () => (call.cwd = text(random, PATHS, 4000)),
    () => (call.context = any()),
    () => (call.preview = any()),
    () =>
      (call.agent = {
        name: text(random, PROSE, 250),
        parents: { $list: text(random, PROSE, 250), times: 32 },
      }),
    () => (call.definition = { description: any() }),
    () => (call.definition = { annotations: { title: any() } }),
    () => (call.definition = { schema: schema(random) }),
    () => (call.session = { $repeat: random.pick(['a', '-prod-', 'é', '漢']), times: 30 }),
    () => (call.origin = { channel: 'inbox', conversation: { $repeat: 'a', times: 250 } }),
  ]
  for (let count = 1 + random.below(3); count > 0; count--) random.pick(fields)()
  return call
}

function schema(random: Random): Recipe {
  const property: Recipe = { type: 'string', pattern: '^(a+)+$', title: shortText(random, PROSE) }
  return random.pick<Recipe>([
    { type: 'object', properties: { $keys: 'k#', value: property, times: times(random, 60) } },
    { $nest: 'items', value: property, times: random.size(2, 60) },
    { $nest: 'not', value: property, times: random.size(2, 60) },
    { type: 'object', allOf: list(random, { properties: { text: property } }) },
    { type: 'object', anyOf: list(random, { required: ['text'], properties: { text: property } }) },
    { type: 'object', required: list(random, 'k#') },
    { type: 'object', properties: { text: { type: 'string', enum: list(random, 'a#') } } },
    {
      $defs: { a: { $ref: '#/$defs/a' }, b: { anyOf: list(random, { $ref: '#/$defs/b' }) } },
      $ref: '#/$defs/b',
    },
    {
      type: 'object',
      properties: {
        text: { type: 'string', pattern: text(random, ['a', '(', ')', '+', '*', '|', '[', '{1,9}']) },
      },
    },
  ])
}

function text(random: Random, vocabulary: readonly string[], longest = LONGEST): Recipe {
  const size = random.below(4) === 0 ? longest : random.size(Math.min(SHORTEST, longest), longest)
  const unit = unitOf(random, vocabulary)
  const repeated = { $repeat: unit, times: Math.max(1, Math.floor(size / escapedLength(unit))) }
  switch (random.below(8)) {
    case 0: {
      const [open, close] = random.pick(OPENING)
      const each = Math.max(1, Math.floor(size / escapedLength(open + close)))
      const isClosed = random.below(3) > 0
      return {
        $join: [
          { $repeat: open, times: each },
          unitOf(random, vocabulary),
          ...(isClosed ? [{ $repeat: close, times: each }] : []),
        ],
      }
    }
    case 1:
      return { $pick: [...vocabulary], seed: random.below(1e9), times: Math.max(1, Math.floor(size / 8)) }
    case 2:
      return { $join: [unitOf(random, vocabulary), repeated, unitOf(random, vocabulary)] }
    case 3: {
      const other = unitOf(random, vocabulary)
      return {
        $join: [
          { $repeat: unit, times: Math.max(1, Math.floor(size / 2 / escapedLength(unit))) },
          { $repeat: other, times: Math.max(1, Math.floor(size / 2 / escapedLength(other))) },
        ],
      }
    }
    case 4:
      return { $join: [random.pick(['ls ', 'cat ', 'echo ', 'sh -c ', '/', 'a']), repeated] }
    default:
      return repeated
  }
}

function unitOf(random: Random, vocabulary: readonly string[]): string {
  let unit = ''
  const glue = vocabulary === SHELL ? random.pick(['', ' ', ' ']) : ''
  const mixed = random.below(3) === 0 ? vocabulary.concat(WRAPPERS) : vocabulary
  for (let count = 1 + random.below(4); count > 0; count--) unit += random.pick(mixed) + glue
  return unit.replaceAll('#', '')
}

function shortText(random: Random, vocabulary: readonly string[]): string {
  return `${unitOf(random, vocabulary)}#`
}

function list(random: Random, item: Recipe): Recipe {
  return { $list: item, times: times(random, escapedLength(JSON.stringify(item)) + 6) }
}

function times(random: Random, each: number): number {
  const size = random.below(4) === 0 ? LONGEST : random.size(SHORTEST, LONGEST)
  return Math.max(1, Math.floor(size / each))
}

function escapedLength(value: string): number {
  return JSON.stringify(value).length - 2 || 1
}
