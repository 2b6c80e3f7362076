/**
 * The first line of a request, the same in the inbox, the terminal and chats: who wants what, and where. It comes in pieces, so that
 * each place can set names and folders apart from our words; one after another they are a sentence. Names and folders come from
 * outside: whoever hands them in has made them visible.
 */
import type { AgentLineage } from '../../core/call.ts'
import type { IntentKind } from '../../core/rendering.ts'
import { mcpNameParts } from '../../core/support/mcp-names.ts'
import type { Locale } from './rendering-words.ts'

export interface HeadlinePiece {
  /** `who` is a name and `code` a tool or folder, both from outside; `words` are ours. */
  kind: 'words' | 'who' | 'code'
  text: string
}

export interface Headline {
  who: string
  intent: IntentKind
  tool: string
  /** The working folder of the call. Its last part is named. */
  folder?: string | undefined
  /** Nobody is waiting for an answer any longer. */
  isOver?: boolean | undefined
}

export function sayHeadline(headline: Headline, locale: Locale): HeadlinePiece[] {
  const { who, tool, folder, intent, isOver = false } = headline
  const mcp = mcpNameParts(tool)
  const said = SENTENCES[locale](intent, isOver, folder !== undefined && IN_FOLDER.has(intent)).replace(
    '{tool}',
    mcp === undefined ? '{tool}' : MCP_TOOL[locale],
  )
  const values: Readonly<Record<string, HeadlinePiece>> = {
    who: { kind: 'who', text: who },
    tool: { kind: 'code', text: mcp?.tool ?? tool },
    server: { kind: 'code', text: mcp?.server ?? '' },
    folder: { kind: 'code', text: lastPart(folder ?? '') },
  }
  return said
    .split(/\{(who|tool|server|folder)\}/)
    .map((text, place): HeadlinePiece => (place % 2 === 0 ? { kind: 'words', text } : values[text]!))
    .filter(({ text }) => text !== '')
}

/**
 * Who asks. Of a coding agent on somebody's machine it is the agent with the machine, as its token has it: `claude-code@laptop`. What the
 * agent says of itself is shown only beside that, and so is a name that could pass for one of a machine, or for words of ours.
 */
export function askerName({
  agent,
  submittedBy,
}: {
  agent?: AgentLineage | undefined
  submittedBy: string
}): string {
  if (agent === undefined) return submittedBy
  const { name, parents = [] } = agent
  if (isName(name) && [name, ...parents].every((one) => !submittedBy.startsWith(`${one}@`))) return name
  return submittedBy.startsWith(`${name}@`) ? submittedBy : `${name} (${submittedBy})`
}

/** Nothing that reads as a sentence, or as an agent on some machine. */
function isName(text: string): boolean {
  return /^[\p{L}\p{M}\p{N} ._/-]{1,40}$/u.test(text) && !/[.] /.test(text)
}

/** As one text, for a place that sets nothing apart. */
export function headlineText(headline: Headline, locale: Locale): string {
  return sayHeadline(headline, locale)
    .map(({ text }) => text)
    .join('')
}

/** A tool by its name, with the server that has it where that is an MCP server. The name was made visible. */
export function sayTool(name: string, locale: Locale): string {
  const { server, tool } = mcpNameParts(name) ?? {}
  if (server === undefined || tool === undefined) return name
  return MCP_TOOL[locale].replace('{tool}', tool).replace('{server}', server)
}

const MCP_TOOL: Readonly<Record<Locale, string>> = {
  en: '{tool} of {server} (MCP)',
  zh: '{server}（MCP）的 {tool}',
}

/** What other tools do has little to do with the folder. */
const IN_FOLDER: ReadonlySet<IntentKind> = new Set<IntentKind>(['command', 'write', 'edit', 'read'])

type HeadlineSentence = (intent: IntentKind, isOver: boolean, hasFolder: boolean) => string

const ENGLISH: Readonly<Record<IntentKind, string>> = {
  command: 'run a command',
  write: 'write a file',
  edit: 'edit a file',
  read: 'read files',
  fetch: 'open a web address',
  mail: 'send mail',
  question: '',
  other: 'use {tool}',
}

const CHINESE: Readonly<Record<IntentKind, string>> = {
  command: '执行命令',
  write: '写入文件',
  edit: '修改文件',
  read: '读取文件',
  fetch: '访问网址',
  mail: '发送邮件',
  question: '',
  other: '使用 {tool}',
}

const SENTENCES: Readonly<Record<Locale, HeadlineSentence>> = {
  en(intent, isOver, hasFolder) {
    if (intent === 'question') return isOver ? '{who} asked a question' : '{who} has a question'
    const where = hasFolder ? ' in {folder}' : ''
    return `{who} ${isOver ? 'wanted' : 'wants'} to ${ENGLISH[intent]}${where}`
  },
  zh(intent, _, hasFolder) {
    if (intent === 'question') return '{who} 有问题要问您'
    return `{who} 想${hasFolder ? '在 {folder} 中' : '要'}${CHINESE[intent]}`
  },
}

function lastPart(folder: string): string {
  const parts = folder.split(/[/\\]/).filter((part) => part !== '')
  return parts.at(-1) ?? folder
}
