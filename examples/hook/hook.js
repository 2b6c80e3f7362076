/**
 * A hook as a program of its own: it denies every command with --force in it. That is all of it, down to `runHook`; in
 * banksman.yaml it is
 *
 *     hooks:
 *       processes:
 *         no-force: { command: [node, hook.js], intercept: [before_tool] }
 *
 *     node hook.js --check    what the tests run: an agent that tries, with this hook and with hook.py
 */
import { runHook } from 'banksman/hooks'

if (process.argv.includes('--check')) await (await import('./check.js')).check()
else
  await runHook({
    beforeTool: ({ tool, arguments: args }) =>
      tool === 'exec' && args.arguments?.includes('--force')
        ? { action: 'deny_tool', reason: 'nothing is forced here' }
        : { action: 'continue' },
  })
