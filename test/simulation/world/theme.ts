/**
 * What a world is mostly about. A race needs two who want the same thing at the same time: where everybody does a little of
 * everything, that hardly ever happens.
 */
import type { SeededRandom } from './random.ts'

export interface Theme {
  name: string
  /** What agents call, the more often the more often it is named. */
  tools: readonly string[]
  /** How many calls each session makes at most. */
  calls: number
  /** How likely a call is made while the one before goes on. */
  beside: number
  /** How likely a call is made within a node, by `guard`. */
  within: number
  /** How likely a call from afar is held by one exchange, rather than reviewed, waited for and claimed. */
  takes: number
  /** How likely a tool pauses itself, and its runner gives the call back. */
  pauses: number
  /** How likely an agent makes a call again whose request has ended. */
  again: number
  /** How likely a person ends a session rather than doing something else besides deciding. */
  endings: number
  /** How likely a person does something besides deciding. */
  besides: number
  /** How likely an approval leaves a grant behind. */
  grants: number
  /** How long people take at most before they look, and before they answer. */
  lookMs: number
  /** How likely somebody answers in the moment in which it is shown, before the channel has returned. */
  atOnce: number
  /** How likely a hint names the requests. */
  naming: number
}

const EVERYTHING = [
  'send_mail',
  'send_mail',
  'deploy',
  'deploy',
  'deploy',
  'pay',
  'ask_user_question',
  'read_file',
  'drop_table',
  'launch',
]

const ORDINARY: Theme = {
  name: 'ordinary',
  tools: EVERYTHING,
  calls: 4,
  beside: 0.4,
  atOnce: 0.1,
  within: 0.35,
  takes: 0.4,
  pauses: 0.15,
  again: 0.4,
  endings: 0.1,
  besides: 0.2,
  grants: 0.5,
  lookMs: 2500,
  naming: 0.5,
}

const HASTE: Theme = {
  ...ORDINARY,
  name: 'haste',
  tools: ['send_mail', 'deploy', 'ask_user_question'],
  grants: 0.1,
  lookMs: 150,
  atOnce: 0.7,
  within: 0.2,
  takes: 0.2,
}

const ENDINGS: Theme = {
  ...ORDINARY,
  name: 'endings',
  calls: 6,
  beside: 0.7,
  besides: 0.5,
  endings: 0.6,
  lookMs: 800,
  takes: 0.2,
}

const THEMES: readonly Theme[] = [
  ORDINARY,
  { ...ORDINARY, name: 'quorums', tools: ['deploy'], grants: 0.2 },
  { ...ORDINARY, name: 'grants', tools: ['send_mail'], calls: 8, beside: 0.8, grants: 0.9, lookMs: 800 },
  ENDINGS,
  HASTE,
  {
    ...HASTE,
    name: 'pauses',
    tools: ['send_mail', 'deploy', 'read_file', 'read_file'],
    within: 0.3,
    takes: 0.8,
    pauses: 0.6,
  },
  {
    ...ORDINARY,
    name: 'successors',
    tools: ['deploy', 'send_mail', 'pay', 'launch'],
    takes: 0.7,
    again: 0.9,
  },
]

export function pickTheme(random: SeededRandom): Theme {
  return { ...random.pick([...THEMES, ENDINGS, HASTE]), naming: random.pick([0, 0.5, 1, 1]) }
}
