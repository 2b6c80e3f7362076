/** opencode gets a plugin of ours, a file of its own beside those of others. */
import type { JsonObject } from '../../core/json/json.ts'
import { agentFilePlaces } from '../../policy/agent-files/agent-file-places.ts'
import { OPENCODE as TABLE } from '../../policy/agent-files/agents/opencode.ts'
import {
  type AgentDisk,
  type AgentPlace,
  type AgentSetup,
  aboveAndAt,
  filesAt,
  withoutSlash,
} from '../setup/agent-setup.ts'
import { readJsonText } from '../setup/json-text.ts'
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
  otherHooks(place, _, project, disk) {
    const ours = `${configFolder(place)}/plugins/banksman.js`
    return filesWithPlugins(place, project, disk).flatMap((path) => {
      if (/\.jsonc?$/.test(path)) return pluginsIn(disk.read(path))
      return /\.[cm]?[jt]s$/.test(path) && path !== ours ? [path] : []
    })
  },
  withOtherHooks:
    'another plugin may change a call after Banksman has seen it, also one that a person approved',
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

/**
 * Plugins stand in folders of the user and of the project, and in `plugin` of its configuration. Some versions read the usual folder too
 * when `OPENCODE_CONFIG_DIR` names another.
 */
function filesWithPlugins({ home, environment }: AgentPlace, project: string, disk: AgentDisk): string[] {
  const { OPENCODE_CONFIG_DIR: _, ...usual } = environment
  const places = [environment, usual].flatMap((one) =>
    agentFilePlaces(TABLE, { home, environment: one, projects: aboveAndAt(project) }),
  )
  const paths = places
    .filter(({ path, holds }) => holds.includes('plugins') && !/\/tools?\/$/.test(path))
    .flatMap(({ path }) => filesAt(path, disk))
  return [...new Set(paths)].filter((path) => !path.includes('/node_modules/'))
}

function pluginsIn(text: string | undefined): string[] {
  try {
    const { plugin } = text === undefined ? {} : (readJsonText(text) as JsonObject)
    return Array.isArray(plugin) ? plugin.map((one) => String([one].flat()[0])) : []
  } catch {
    return []
  }
}

function configFolder({ home, environment }: AgentPlace): string {
  const { OPENCODE_CONFIG_DIR, XDG_CONFIG_HOME } = environment
  return withoutSlash(OPENCODE_CONFIG_DIR || `${withoutSlash(XDG_CONFIG_HOME || `${home}/.config`)}/opencode`)
}
