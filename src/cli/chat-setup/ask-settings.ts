/**
 * What has to be known to set a chat up: from flags, from the configuration as it is, or asked at the terminal, one question at a time.
 * The secret is read from its environment variable or typed unseen. It is never taken as a flag and never written to a file.
 */
import type { ChatRecipe, SetupQuestion } from '../../server/chat-setup/recipes.ts'
import type { Context } from '../command-line/command.ts'
import { CommandFailure, usageError } from '../output/failures.ts'
import { visible } from '../output/safe-text.ts'

export interface ChatSettings {
  /** What is to be written under the service's key. */
  members: Record<string, string>
  /** The variable that has the secret. */
  variable: string
}

/** By the names of flags, without the dashes. */
export type SettingFlags = Readonly<Record<string, string | undefined>>

const MAX_TRIES = 3
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

export const stopped = (what: string) => new CommandFailure('not_confirmed', `stopped; ${what}`)

/** @param before What stands under the key now. */
export async function askSettings(
  { questions, secret, title }: ChatRecipe,
  flags: SettingFlags,
  before: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<ChatSettings> {
  const { terminal, environment } = context
  const known = (member: string) => (typeof before[member] === 'string' ? before[member] : undefined)
  const variable = flags[secret.flag] ?? known(secret.member) ?? secret.fallback
  if (!VARIABLE.test(variable))
    throw usageError(
      `--${secret.flag} must be the name of an environment variable, as in ${secret.fallback}; the secret itself is never given as a flag`,
    )
  const missing = questions.filter(
    ({ flag, member, fallback }) => (flags[flag] ?? known(member) ?? fallback) === undefined,
  )
  if (!terminal.isInteractive) {
    const lacks = [
      ...missing.map(({ flag, looksLike }) => `--${flag} (${looksLike})`),
      ...(environment[variable] ? [] : [`the environment variable ${variable} (${secret.looksLike})`]),
    ]
    if (lacks.length > 0)
      throw usageError(`this needs a terminal to ask at; without one, ${title} needs ${lacks.join(', and ')}`)
  }
  const members: Record<string, string> = {}
  for (const question of questions) {
    const { flag, member, fallback, isRare } = question
    const given = flags[flag]
    const now = known(member) ?? fallback
    const mayAsk = terminal.isInteractive && given === undefined && isRare !== true
    const value = mayAsk ? await ask(question, now, context) : check(question, given ?? now ?? '')
    if (value !== fallback || known(member) !== undefined) members[member] = value
  }
  if (variable !== secret.fallback || known(secret.member) !== undefined) members[secret.member] = variable
  return { members, variable }
}

async function ask(question: SetupQuestion, now: string | undefined, { terminal }: Context): Promise<string> {
  terminal.note(`\n${question.where}`)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await terminal.ask(
      now === undefined ? `${question.ask} ` : `${question.ask} [${visible(now)}] `,
    )
    if (answer === undefined) throw stopped('nothing was written')
    const value = answer === '' ? (now ?? '') : answer
    if (question.pattern.test(value)) return value
    terminal.note(`That isn't right: it looks like ${question.looksLike}.`)
  }
  throw stopped('nothing was written')
}

function check({ flag, pattern, looksLike }: SetupQuestion, value: string): string {
  if (pattern.test(value)) return value
  throw usageError(`--${flag} must be ${looksLike}; found ${visible(JSON.stringify(value))}`)
}

/** From the variable, the first time; then it is asked for. @param last What was tried before. */
export async function askSecret(
  { secret }: ChatRecipe,
  variable: string,
  last: string | undefined,
  { terminal, environment }: Context,
): Promise<string> {
  const set = environment[variable]
  if (last === undefined && set) {
    if (secret.shape.test(set)) {
      terminal.note(`\nThe secret is taken from the environment variable ${variable}.`)
      return set
    }
    const wrong = `the environment variable ${variable} doesn't look like ${secret.looksLike}`
    if (!terminal.isInteractive) throw new CommandFailure('invalid', wrong)
    terminal.note(`\n${wrong[0]!.toUpperCase()}${wrong.slice(1)}. Type the right one here.`)
  }
  if (!terminal.isInteractive) throw new CommandFailure('invalid', `set ${variable} to the right secret`)
  terminal.note(`\n${secret.where}`)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const typed = await terminal.askSecret(`${secret.ask}${last === undefined ? '' : ' [the same]'} `)
    if (typed === undefined) break
    if (typed === '' && last !== undefined) return last
    if (secret.shape.test(typed)) return typed
    terminal.note(`That isn't right: it looks like ${secret.looksLike}.`)
  }
  throw stopped('nothing was written')
}
