/**
 * A text of a configuration that nobody has trusted, read in a thread of its own and within a time: an agent may have written
 * it so that reading it takes long. What is read here within the time may then be read on the server's thread.
 */
import { BanksmanError, type ErrorCode, isBanksmanError, messageOf } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { inThread, ThreadTooSlow } from '../host/run-in-thread.ts'
import { readConfiguration } from './configuration.ts'

interface WrittenText {
  text: string
  file: string
  defaultOwner: string
}

/** A thousand rules take a tenth of a second; a busy machine takes its time. */
const WITHIN_MS = 3000
/** What is shorter can't take long, and a thread would. */
const SHORT = 16 * 1024

/** What is wrong with the text, with its place in the file. */
export async function mistakeElsewhere(
  written: WrittenText,
  withinMs = WITHIN_MS,
): Promise<BanksmanError | undefined> {
  try {
    const mistake = await read(written, withinMs)
    return mistake && new BanksmanError(mistake.code, mistake.message, mistake.details)
  } catch (error) {
    return tooSlow(error)
  }
}

/** Throws where reading the text takes too long; other mistakes are left to whoever reads it then. */
export async function refuseSlow(written: WrittenText, withinMs = WITHIN_MS): Promise<void> {
  if (written.text.length <= SHORT) return
  try {
    await read(written, withinMs)
  } catch (error) {
    throw tooSlow(error)
  }
}

function tooSlow(cause: unknown): BanksmanError {
  const isSlow = cause instanceof ThreadTooSlow
  const reason = isSlow ? reasonOf('file.slow') : reasonOf('file.unreadable')
  return reasonedError('invalid_configuration', reason, {}, { cause })
}

async function read(written: WrittenText, withinMs: number) {
  return written.text.length <= SHORT ? mistakeIn(written) : readInThread(written, withinMs)
}

const readInThread = inThread(import.meta.filename, 'read a configuration', mistakeIn)

function mistakeIn(written: WrittenText) {
  try {
    readConfiguration(written.text, written.file, written.defaultOwner)
    return undefined
  } catch (error) {
    const code: ErrorCode = isBanksmanError(error) ? error.code : 'invalid_configuration'
    const details = isBanksmanError(error) ? error.details : {}
    return { code, message: messageOf(error), details }
  }
}
