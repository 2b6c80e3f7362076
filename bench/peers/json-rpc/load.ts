/** vscode-jsonrpc, installed on demand in this folder; only what the benchmark uses of it is described. */
import type { Readable, Writable } from 'node:stream'
import { installPeers, peerFile } from '../install.ts'

interface JsonRpcModule {
  createMessageConnection(reader: object, writer: object): MessageConnection
  StreamMessageReader: new (stream: Readable) => object
  StreamMessageWriter: new (stream: Writable) => object
}

export interface MessageConnection {
  listen(): void
  dispose(): void
  onRequest(method: string, answer: () => unknown): void
  sendRequest(method: string, params: unknown): Promise<unknown>
}

export async function loadJsonRpc(): Promise<JsonRpcModule> {
  installPeers(import.meta.dirname)
  const { default: module } = (await import(
    peerFile('vscode-jsonrpc', 'lib/node/main.js', import.meta.dirname)
  )) as { default: JsonRpcModule }
  return module
}

export function jsonRpcVersion(): string {
  return installPeers(import.meta.dirname)['vscode-jsonrpc']!
}
