/** The files of all tables as the built-in denies look for them. */
import { compileOwnPaths, type OwnPaths } from '../built-in-denies/own-paths.ts'
import type { AgentFile, AgentPlaces, CodingAgentTable } from './agent-table.ts'
import { CODING_AGENTS } from './agent-tables.ts'

interface ProtectedAgentFile {
  readonly agent: Pick<CodingAgentTable, 'name'>
  readonly file: AgentFile
}

interface ProtectedAgentFiles {
  readonly paths: OwnPaths
  /** The variables that say where such files are, in lower case. */
  readonly variables: readonly string[]
  /** By the path as the denies name it. */
  of(path: string): ProtectedAgentFile | undefined
}

export function protectAgentFiles({ homes, environment, connected = [] }: AgentPlaces): ProtectedAgentFiles {
  const known = new Map<string, ProtectedAgentFile>()
  const anywhere = new Map<string, boolean>()
  const absolute = new Map<string, boolean>()
  const add = (paths: Map<string, boolean>, written: string, about: ProtectedAgentFile) => {
    const isFolder = written.endsWith('/')
    const path = isFolder ? written.slice(0, -1) : written
    if (!known.has(path)) known.set(path, about)
    paths.set(path, isFolder)
  }
  for (const agent of CODING_AGENTS) {
    for (const file of agent.files) {
      const about = { agent, file }
      const { path } = file
      if (/^(?:\/|[A-Z]:)/.test(path)) {
        add(absolute, path, about)
        continue
      }
      add(anywhere, path.replace(/^~\//, ''), about)
      if (!path.startsWith('~/')) continue
      // By the whole path too: who removes a home folder removes what is in it.
      for (const home of homes) add(absolute, join(home, path.slice(2)), about)
      for (const { variable, from } of agent.moved) {
        const place = environment[variable]
        if (place !== undefined && isPlace(place) && path.startsWith(from))
          add(absolute, path === from ? place : join(place, path.slice(from.length)), about)
      }
    }
  }
  for (const { agent: id, path, level, holds } of connected) {
    const agent = CODING_AGENTS.find((one) => one.id === id)
    add(absolute, path, { agent: agent ?? { name: id }, file: { path, level, holds: [holds] } })
    for (const folder of level === 'user' && agent !== undefined ? settingsFolders(agent, path) : [])
      if (!homes.includes(folder.place))
        for (const file of agent!.files)
          if (file.path.startsWith(folder.from))
            add(absolute, join(folder.place, file.path.slice(folder.from.length)), { agent: agent!, file })
  }
  const absolutes = [...absolute]
  const paths = compileOwnPaths(
    {
      files: absolutes.flatMap(([path, isFolder]) => (isFolder ? [] : [path])),
      untouchable: [],
      folders: [],
      readableFolders: absolutes.flatMap(([path, isFolder]) => (isFolder ? [path] : [])),
      anywhere: [...anywhere].map(([path, isFolder]) => ({ path, isFolder })),
    },
    NO_PROGRAM,
  )
  const variables = CODING_AGENTS.flatMap(({ moved }) => moved.map(({ variable }) => variable.toLowerCase()))
  return { paths, variables: [...new Set(variables)], of: (path) => known.get(path) }
}

/** The folders that stand for one of the table if this file is one of its files. */
function settingsFolders(
  { files, moved }: CodingAgentTable,
  path: string,
): { from: string; place: string }[] {
  return moved.flatMap(({ from }) =>
    files.flatMap((file) => {
      if (!from.endsWith('/') || !file.path.startsWith(from)) return []
      const rest = `/${file.path.slice(from.length)}`
      const at = rest.endsWith('/') ? path.lastIndexOf(rest) : path.length - rest.length
      return at > 0 && path.startsWith(rest, at) ? [{ from, place: path.slice(0, at) }] : []
    }),
  )
}

/** No name of a file has it in it. */
export const NO_PROGRAM = '\0'

function isPlace(path: string): boolean {
  return /^(?:\/|[a-z]:[/\\])./i.test(path)
}

function join(folder: string, path: string): string {
  return `${folder.replace(/[/\\]+$/, '')}/${path}`
}
