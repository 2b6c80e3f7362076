/** The results as the Markdown that docs/torture.md holds between its markers. */
import type { TortureCase, Wrong } from './cases.ts'
import { NOTES, type Note } from './notes.ts'

export interface Framework {
  id: string
  title: string
  /** Its own mechanism, and where state is kept. */
  own: string
  /** Packages whose versions are named. */
  packages: string[]
}

export const FRAMEWORKS: Framework[] = [
  {
    id: 'ai-sdk',
    title: 'AI SDK',
    own: '`toolApproval` with `experimental_toolApprovalSecret`; the program keeps the messages in a file',
    packages: ['ai'],
  },
  {
    id: 'langchain',
    title: 'LangChain',
    own: '`humanInTheLoopMiddleware` with `SqliteSaver` and `durability: "sync"`',
    packages: ['langchain', '@langchain/langgraph', '@langchain/langgraph-checkpoint-sqlite'],
  },
  {
    id: 'openai-agents',
    title: 'OpenAI Agents',
    own: '`needsApproval`; the program keeps the `RunState` in a file',
    packages: ['@openai/agents'],
  },
  {
    id: 'mastra',
    title: 'Mastra',
    own: '`requireApproval` with `LibSQLStore`',
    packages: ['@mastra/core', '@mastra/libsql'],
  },
  {
    id: 'adk',
    title: 'Google ADK',
    own: '`requireConfirmation` with `DatabaseSessionService` on SQLite',
    packages: ['@google/adk', '@mikro-orm/better-sqlite'],
  },
]

/** What went wrong in one cell; nothing where all was right. */
export interface Cell {
  framework: string
  withBanksman: boolean
  case: string
  wrongs: Wrong[]
}

export function renderTable(
  cases: TortureCase[],
  frameworks: Framework[],
  cells: Cell[],
  versionOf: (name: string) => string,
): string {
  const notes: string[] = []
  const numberOf = ({ text }: Note) => {
    if (!notes.includes(text)) notes.push(text)
    return notes.indexOf(text) + 1
  }
  const cellOf = (name: string, framework: string, withBanksman: boolean) =>
    cells.find(
      (one) => one.case === name && one.framework === framework && one.withBanksman === withBanksman,
    )!

  function show(name: string, framework: string, withBanksman: boolean): string {
    const { wrongs } = cellOf(name, framework, withBanksman)
    const note = withBanksman ? undefined : NOTES[framework]?.[name]
    const found = wrongs.length === 0 ? 'right' : `**${wrongs.join(', ')}**`
    const excuse = wrongs.length > 0 && note?.excuse !== undefined ? `, ${note.excuse}` : ''
    return `${found}${excuse}${note === undefined ? '' : ` <sup>${numberOf(note)}</sup>`}`
  }

  const rows = cases.map(({ name }) => [
    name,
    ...frameworks.flatMap(({ id }) => [show(name, id, false), show(name, id, true)]),
  ])
  const totals = (['ran twice', 'ran unapproved', 'lost'] as const).map((wrong) => [
    `*${wrong}*`,
    ...frameworks.flatMap(({ id }) =>
      [false, true].map((withBanksman) => {
        const count = cells.filter(
          (cell) =>
            cell.framework === id && cell.withBanksman === withBanksman && cell.wrongs.includes(wrong),
        ).length
        return `*${count}*`
      }),
    ),
  ])
  const head = ['', ...frameworks.flatMap(({ title }) => [title, `${title} with Banksman`])]
  const line = (columns: string[]) => `| ${columns.join(' | ')} |`
  const versions = frameworks.map(
    ({ title, own, packages }) =>
      `| ${title} | ${own} | ${packages.map((name) => `\`${name}\` ${versionOf(name)}`).join(', ')} |`,
  )
  return [
    line(head),
    line(head.map(() => '---')),
    ...[...rows, ...totals].map(line),
    '',
    ...notes.map((text, index) => `<sup>${index + 1}</sup> ${text}`).flatMap((text) => [text, '']),
    '| framework | its own approvals, as used here | versions |',
    '|---|---|---|',
    ...versions,
  ].join('\n')
}
