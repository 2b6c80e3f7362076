/** Which file loads which when the program starts: value imports only, neither types nor imports that come late. */
import { posix } from 'node:path'
import { importsOf, type SourceFile } from './source-files.ts'

/** From each file or folder to what it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

export function importGraph(sources: readonly SourceFile[]): ImportGraph {
  const known = new Set(sources.map(({ path }) => path))
  return new Map(
    sources.map((source) => {
      const targets = importsOf(source)
        .filter(({ from, typeOnly, late }) => from.startsWith('.') && !typeOnly && !late)
        .map(({ from }) => posix.join(posix.dirname(source.path), from))
      return [source.path, new Set(targets.filter((target) => known.has(target)))]
    }),
  )
}

/** The longest chain of imports, down to a file that imports nothing. The graph must have no cycles. */
export function longestChain(graph: ImportGraph): string[] {
  const known = new Map<string, string[]>()
  const chainFrom = (path: string): string[] => {
    const chain = known.get(path) ?? [path, ...longest([...(graph.get(path) ?? [])].map(chainFrom))]
    known.set(path, chain)
    return chain
  }
  return longest([...graph.keys()].map(chainFrom))
}

function longest(chains: string[][]): string[] {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [])
}

/** The cycles that a walk through the graph comes upon, each from a member back to the same one. None: there are none. */
export function cyclesIn(graph: ImportGraph): string[][] {
  const cycles: string[][] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (path: string): void => {
    const start = way.indexOf(path)
    if (start !== -1) cycles.push([...way.slice(start), path])
    if (start !== -1 || done.has(path)) return
    way.push(path)
    for (const target of graph.get(path) ?? []) follow(target)
    way.pop()
    done.add(path)
  }
  for (const path of graph.keys()) follow(path)
  return cycles
}

/**
 * The imports between the folders that stand beside each other in one folder. Files that stand there too are left out:
 * they put the folders together, or are what all of them know.
 */
export function folderGraphs(graph: ImportGraph): Map<string, ImportGraph> {
  const graphs = new Map<string, Map<string, Set<string>>>()
  for (const [path, targets] of graph) {
    for (const target of targets) {
      const [from, to] = [path.split('/'), target.split('/')]
      const depth = from.findIndex((name, at) => name !== to[at])
      if (depth >= from.length - 1 || depth >= to.length - 1) continue
      const folder = from.slice(0, depth).join('/')
      const arrows = graphs.get(folder) ?? new Map<string, Set<string>>()
      graphs.set(folder, arrows)
      const [name, targetName] = [from[depth]!, to[depth]!]
      arrows.set(name, (arrows.get(name) ?? new Set()).add(targetName))
    }
  }
  return graphs
}
