/** The hook's side of the hooks benchmark: the same hook by our SDK, and by vscode-jsonrpc. */
import { runHook } from '../../src/agents/hooks/index.ts'
import { loadJsonRpc } from '../peers/json-rpc/load.ts'

if (process.argv[2] === 'ours') {
  await runHook({ beforeTool: () => ({ action: 'continue' }) })
} else {
  const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = await loadJsonRpc()
  const connection = createMessageConnection(
    new StreamMessageReader(process.stdin),
    new StreamMessageWriter(process.stdout),
  )
  connection.onRequest('hook.before_tool', () => ({ action: 'continue' }))
  connection.listen()
}
