/**
 * Installs the peers of the comparison of loops in this folder. LangGraph's saver asks for better-sqlite3 12, which Node 24.19
 * and later abort with when a statement is collected; the next one has the same interface and brings its binaries along, so
 * package.json puts it in its place.
 */
import { installPeers, peerFile } from '../install.ts'

export function installAgentPeers(): Record<string, string> {
  return installPeers(import.meta.dirname)
}

export function agentPeerFile(name: string, file: string): string {
  return peerFile(name, file, import.meta.dirname)
}
