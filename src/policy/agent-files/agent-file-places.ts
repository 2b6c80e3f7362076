/** Where the files of a table are for one person and the folders that they work in: what the agent reads when it is started there. */
import type { AgentFile, CodingAgentTable } from './agent-table.ts'

export interface AgentFilePlaces {
  readonly home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Folders of the project, the innermost first. */
  readonly projects: readonly string[]
}

/** The same files with their absolute paths. A slash at the end: a folder. */
export function agentFilePlaces(
  { files, moved }: CodingAgentTable,
  { home, environment, projects }: AgentFilePlaces,
): AgentFile[] {
  return files.flatMap((file): AgentFile[] => {
    const { path } = file
    // Those of another kind of system.
    if (/^[A-Z]:/.test(path)) return home.startsWith('/') ? [] : [file]
    if (path.startsWith('/')) return [file]
    if (!path.startsWith('~/')) return projects.map((project) => ({ ...file, path: join(project, path) }))
    const mover = moved.find(({ variable, from }) => environment[variable] && path.startsWith(from))
    if (mover === undefined) return [{ ...file, path: join(home, path.slice(2)) }]
    const place = environment[mover.variable]!
    return [{ ...file, path: path === mover.from ? place : join(place, path.slice(mover.from.length)) }]
  })
}

function join(folder: string, path: string): string {
  return `${folder.replace(/\/+$/, '')}/${path}`
}
