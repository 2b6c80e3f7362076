/** Offers to have coding sessions run from the chat that was set up, in a folder that the person names. */
import { statSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { parsePlaced } from '../../server/configuration/placed-document.ts'
import type { Context } from '../command-line/command.ts'
import { readConfigurationText } from '../connection/configuration-file.ts'
import { usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'
import { changeConfiguration } from './change-configuration.ts'

export interface SessionsOffer {
  /** The configuration. */
  file: string
  /** As a flag says; absent: it is asked at a terminal. */
  folder: string | undefined
  isAgreed: boolean
}

/** People look at a chat when they get to it, not at once. */
const APPROVAL_TIMEOUT = '30m'
const MAX_TRIES = 3
const WHAT = `
Coding sessions: write to the bot, and Claude Code works on it in a folder on this machine, asks you there, and tells you when it is done.`

/** The name of the folder; undefined where there are to be none, or are some already. */
export async function offerSessions(
  { file, folder, isAgreed }: SessionsOffer,
  context: Context,
): Promise<string | undefined> {
  const text = readConfigurationText(file) ?? ''
  if (Object.hasOwn(parsePlaced(text, file).value as object, 'secretary')) return undefined
  const mayAsk = context.terminal.isInteractive && !isAgreed
  const path = folder === undefined ? mayAsk && (await ask(context)) : check(folder, context)
  if (!path) return undefined
  await changeConfiguration(
    [[['secretary'], { folders: [asWritten(path, dirname(file))], approvalTimeout: APPROVAL_TIMEOUT }]],
    { file, isAgreed, otherwise: 'the chat is set up, without coding sessions' },
    context,
  )
  return basename(path)
}

async function ask({ terminal, cwd }: Context): Promise<string | undefined> {
  terminal.note(WHAT)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await terminal.ask('Which folder? [Enter: no coding sessions] ')
    if (answer === undefined || answer === '') return undefined
    const path = resolve(cwd, answer)
    if (isFolder(path)) return path
    terminal.note(`There is no folder ${visible(path)}.`)
  }
  return undefined
}

function check(folder: string, { cwd }: Context): string {
  const path = resolve(cwd, folder)
  if (isFolder(path)) return path
  throw usageError(
    `--sessions must name a folder that sessions may work in; there is none at ${visible(path)}`,
  )
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** From the folder of the configuration, where it is below that. */
function asWritten(path: string, from: string): string {
  const way = relative(from, path)
  return way === '' ? '.' : way.startsWith('..') || isAbsolute(way) ? path : `./${way}`
}
