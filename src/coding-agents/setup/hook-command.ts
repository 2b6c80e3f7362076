/** The commands that an agent runs as our hooks. */
import type { HookWiring } from './agent-setup.ts'
import { shellWord } from './shell-word.ts'

type Script = Pick<HookWiring, 'script' | 'command'>

/**
 * A script that is gone, or that somebody ends, would be a failed hook, and most agents take that for a yes. So does one that was emptied:
 * only the two codes that it is given here are its answers. It is read by a copy of this shell, which costs a fork and no program.
 */
const GUARDED = `/bin/sh -c 'ok=64; no=65; (. "$0"); case $? in 64) exit 0 ;; 65) exit 2 ;; esac; echo "Banksman: not allowed: its hook could not be run" >&2; exit 2'`

/** A program that isn't found, or is ended, has said no word. */
const GUARDED_PROGRAM = `/bin/sh -c '"$@" || { [ $? = 2 ] || echo "Banksman: not allowed: its hook could not be run" >&2; exit 2; }'`
const QUIET_PROGRAM = `/bin/sh -c '"$@" --within 5s 2> /dev/null || true'`

export function beforeCommand({ script, command }: Script): string {
  return command === undefined
    ? `${GUARDED} ${shellWord(script)}`
    : `${GUARDED_PROGRAM} sh ${wordsOf(command)}`
}

/** What only reports. */
export function afterCommand({ script, command }: Script): string {
  return command === undefined ? `${shellWord(script)} after` : `${QUIET_PROGRAM} sh ${wordsOf(command)}`
}

function wordsOf(command: readonly string[]): string {
  return command.map((word) => (/^[\w./-]+$/.test(word) ? word : shellWord(word))).join(' ')
}

/** As it is, or as somebody has changed it. */
export function isOurCommand(command: unknown, { script }: Script): boolean {
  return typeof command === 'string' && (command.includes(script) || command.includes(shellWord(script)))
}
