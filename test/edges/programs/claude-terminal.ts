/**
 * Claude Code as a person runs it: in a terminal, with a first prompt. The terminal is the one that `script` of util-linux makes, which is on
 * every Debian. What it asks at its first start is answered beforehand, in its own file: no key is pressed blindly.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLAUDE_CODES, type ConnectedClaudeCode } from './connected-claude-code.ts'

export interface ClaudeTerminal {
  /** Of the program inside. */
  pid(): number
  /** What it has drawn so far, without what moves the cursor. */
  screen(): string
  /** As from the keyboard. */
  type(keys: string): void
  /** Ends the program inside without a word, and the terminal with it. */
  kill(): Promise<void>
}

/** Before the first start. */
export function skipFirstRun({ home, project }: ConnectedClaudeCode): void {
  const file = join(home, '.claude.json')
  const asked = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
  const settings = {
    ...JSON.parse(readFileSync(file, 'utf8')),
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [realpathSync(project)]: asked },
  }
  writeFileSync(file, JSON.stringify(settings))
}

const END_WITHIN_MS = 5_000
let terminals = 0

export function openTerminal(
  { place, project, environment }: ConnectedClaudeCode,
  words: string,
): ClaudeTerminal {
  const pidFile = join(place.folder, `terminal-${++terminals}.pid`)
  const inside =
    'stty cols 120 rows 40; echo $$ > "$PID_FILE"; exec "$CLAUDE" --permission-mode default "$WORDS"'
  const child: ChildProcess = spawn('script', ['-qfec', inside, '/dev/null'], {
    cwd: project,
    env: {
      ...environment,
      TERM: 'xterm-256color',
      SHELL: '/bin/sh',
      PID_FILE: pidFile,
      CLAUDE: CLAUDE_CODES['2.1.325'],
      WORDS: words,
    },
    stdio: 'pipe',
  })
  const closed = once(child, 'close')
  let drawn = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    drawn += text
  })
  child.stdin!.on('error', () => {})
  const pid = () => Number(readFileSync(pidFile, 'utf8'))
  return {
    pid,
    screen: () => drawn.replace(/\x1b\[[0-9;?]*[a-zA-Z]/g, ' '),
    type: (keys) => void child.stdin!.write(keys),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      if (existsSync(pidFile)) killIfThere(pid())
      else child.kill('SIGKILL')
      const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
