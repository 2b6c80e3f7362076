/** opencode gets a plugin of ours, a file of its own beside those of others. */
import { type AgentPlace, type AgentSetup, withoutSlash } from '../setup/agent-setup.ts'
import { wholeFile } from '../setup/whole-file.ts'
import { opencode } from './index.ts'
import { opencodePlugin } from './plugin.ts'
import { OPENCODE } from './read-event.ts'

export const opencodeSetup: AgentSetup = {
  name: OPENCODE,
  title: opencode.title,
  programs: ['opencode'],
  installedIn: ['.opencode/bin', '.local/bin'],
  // Its hook for questions of its own rules is never called.
  modes: { everything: '1.18.0' },
  folder: configFolder,
  movedBy: 'OPENCODE_CONFIG_DIR',
  files: (place, wiring) => [wholeFile(`${configFolder(place)}/plugins/banksman.js`, opencodePlugin(wiring))],
  otherHooks: () => [],
  switchedOff: ({ environment }) =>
    environment.OPENCODE_PURE ? [{ path: 'OPENCODE_PURE', because: 'it leaves plugins out' }] : [],
  probe: (session) => ({ version: 1, phase: 'over', sessionID: session }),
  limits: [
    '`opencode --pure` and the variable OPENCODE_PURE leave plugins out, and with them Banksman. No call can start opencode like that, but you can.',
    'A plugin that opencode can’t load is dropped without a word. `banksman connect` without an agent says when an event last arrived.',
    'Other plugins can change a call after Banksman has seen it.',
    'opencode doesn’t tell when a call failed, so the outcome of such a call stays “not reported”.',
  ],
}

function configFolder({ home, environment }: AgentPlace): string {
  const { OPENCODE_CONFIG_DIR, XDG_CONFIG_HOME } = environment
  return withoutSlash(OPENCODE_CONFIG_DIR || `${withoutSlash(XDG_CONFIG_HOME || `${home}/.config`)}/opencode`)
}
