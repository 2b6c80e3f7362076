/**
 * The demonstration agent: no model, no key, no network. It does what an agent does at the gate: it makes a call that
 * the policy allows, one that it denies and one that people are asked about, and runs the tool on what they approved.
 * Its call ids are fixed, so after a restart it finds its own request again and goes on waiting for it.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Actor } from '../../core/session.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { GuardResult } from '../../gateway/guard.ts'

export interface DemonstrationOptions {
  gateway: Gateway
  /** Where its tools work. */
  workspace: string
  /** Told what happens, a line at a time. */
  say: (line: string) => void
  signal: AbortSignal
}

const SELF: Actor = { subject: 'demonstration', role: 'agent', via: 'demonstration' }

/** What the demonstration's policy says; `banksman start --demo` uses it where there is no `banksman.yaml`. */
export const DEMONSTRATION_POLICY = {
  mode: 'default',
  allow: ['list_files'],
  deny: ['*_production'],
  reason: '{tool} is not among the tools that may run by themselves, so a person is asked',
}

const GREETINGS = [
  { path: 'greeting.txt', text: 'Hello from the demonstration agent.\nA person approved this very text.\n' },
  {
    path: 'plan.md',
    text: '# Plan\n\n1. Ask before changing anything.\n2. Run only what was approved.\n3. Report back.\n',
  },
  { path: 'poem.txt', text: 'The crane stands still\nuntil the banksman lifts a hand.\n' },
]

/** So that a person sees one request at a time, and has a moment to read the result. */
const PAUSE_MS = 1500

export async function runDemonstration({
  gateway,
  workspace,
  say,
  signal,
}: DemonstrationOptions): Promise<void> {
  await mkdir(workspace, { recursive: true })
  for (const [index, greeting] of GREETINGS.entries()) {
    const round = index + 1
    await attempt(
      `list-${round}`,
      'list_files',
      { folder: workspace },
      async () => (await readdir(workspace)).join(', ') || 'nothing',
    )
    await attempt(`drop-${round}`, 'drop_production', { database: 'customers' }, async () => 'dropped')
    await attempt(
      `write-${round}`,
      'write_file',
      { path: join(workspace, greeting.path), content: greeting.text },
      async (args) => {
        await writeFile(String(args.path), String(args.content))
        return `wrote ${String(args.content).length} characters to ${String(args.path)}`
      },
    )
    if (signal.aborted) return
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS).unref())
  }
  say('the demonstration is over; every step of it is in the journal')

  async function attempt(
    callId: string,
    tool: string,
    args: JsonObject,
    run: (args: JsonObject) => Promise<string>,
  ): Promise<void> {
    if (signal.aborted) return
    const call: ToolCall = {
      tool,
      arguments: args,
      callId,
      session: 'demonstration',
      agent: { name: 'demonstration' },
      cwd: workspace,
      context: 'Showing what Banksman does with three calls: one allowed, one denied, one asked.',
    }
    const waiting = gateway.guard(call, run, { as: SELF, signal, summarize: (value) => String(value) })
    if (tool === 'write_file') say(`${tool}: asking a person`)
    const result = await waiting
    if (signal.aborted) return
    if (!isOldNews(result)) say(`${tool}: ${describe(result)}`)
  }
}

/** After a restart the calls that were settled before are still settled. */
function isOldNews(result: GuardResult<string>): boolean {
  return result.kind === 'refused' && (result.code === 'already_claimed' || result.state === 'done')
}

function describe(result: GuardResult<string>): string {
  switch (result.kind) {
    case 'ran':
      return result.ok ? `ran: ${result.value}` : `ran and failed: ${String(result.error)}`
    case 'refused':
      return `${result.state}: ${result.because}`
    case 'answered':
      return `${result.by} answered in its place: ${result.text ?? ''}`
    case 'pending':
      return 'still waiting'
  }
}
