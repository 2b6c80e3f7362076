/** Whether an agent that was connected still is: the same checks for `banksman connect` and `banksman doctor`. Nothing is changed. */
import { existsSync, lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { AGENT_SETUPS } from '../../coding-agents/agent-setups.ts'
import { type AgentPlace, type AgentSetup, isAtLeast } from '../../coding-agents/setup/agent-setup.ts'
import { defined } from '../../core/defined.ts'
import { digestOf } from '../../core/digest.ts'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../host/read-file.ts'
import { dataFolderAt } from '../installation/data-folder.ts'
import { findRunningServer } from '../installation/find-running-server.ts'
import { agentTools, type ListedHooks } from './agent-tools.ts'
import { type ConnectionRecord, connectionFiles, readConnection, wiringOf } from './connection-record.ts'
import { setupFiles } from './disconnect-agent.ts'
import { exposedTokens } from './exposed-token.ts'
import { findAgent, type InstalledAgent } from './find-agent.ts'
import { beliefOf } from './hook-trust-in-server.ts'
import { DISK, lastWritten } from './read-others.ts'
import { isSamePath, recordedFolder, recordedPlace } from './recorded-place.ts'

export interface InspectedConnection {
  setup: AgentSetup
  place: AgentPlace
  record: ConnectionRecord
  /** The folder whose files may switch hooks off. */
  project: string
  /** What the server that made it says of it. */
  token?: KnownToken
}

export interface KnownToken {
  isKnown: boolean
  /** When a hook last came with it. */
  lastEvent?: string
}

/** The server that made a token. */
export type TokenServer = { data: string } | { url: string }

/** Undefined: that server can't be asked. */
export type LookUpToken = (id: string, server: TokenServer) => Promise<KnownToken | undefined>

const OTHERS = 0o077

/** All that are connected. */
export async function inspectConnections(
  environment: AgentPlace['environment'],
  project: string,
  lookUp: LookUpToken,
): Promise<Finding[]> {
  const place = { home: environment.HOME || homedir(), environment }
  const findings: Finding[] = []
  for (const setup of AGENT_SETUPS) {
    const record = readConnection(environment, setup.name)
    if (record === undefined) continue
    const token = await lookUp(record.token, tokenServerOf(record))
    findings.push(...(await inspectConnection({ setup, place, record, project, ...defined({ token }) })))
  }
  return findings
}

export function tokenServerOf({ data, server }: ConnectionRecord): TokenServer {
  return data === undefined ? { url: server.kind === 'url' ? server.url : '' } : { data }
}

export async function inspectConnection(asked: InspectedConnection): Promise<Finding[]> {
  const { setup, record } = asked
  const place = recordedPlace(setup, asked.place, record)
  const inspected = { ...asked, place }
  const found = await findAgent(setup, place, existsSync(record.program) ? record.program : undefined)
  const listed = await listHooks(inspected, found)
  const about = findingsAbout(setup.title)
  const again = `run: banksman connect ${setup.name}`
  const switches = inspectSwitches(inspected)
  // An agent whose hooks are switched off lists none: the switch is what is wrong.
  const isOff = switches.length > 0 && listed instanceof Error
  const findings = [
    ...inspectVersion(inspected, found),
    ...inspectPlace(asked),
    ...inspectEntries(inspected, again),
    ...inspectOtherHooks(inspected, listed),
    ...inspectOwnFiles(inspected, again),
    ...exposedTokens(setup, place, record).map(({ message, advice }) => about.warning(message, advice)),
    ...(isOff ? [] : inspectTrust(inspected, listed, again)),
    ...switches,
    ...inspectUnseen(inspected),
    ...inspectServer(inspected, again),
    ...inspectBelief(inspected),
  ]
  if (findings.some(({ kind }) => kind === 'problem')) return findings
  const { token } = inspected
  const seen =
    token === undefined
      ? ''
      : token.lastEvent === undefined
        ? '; no event yet'
        : `; last event ${token.lastEvent}`
  const how =
    record.mode === 'everything' ? 'every call is checked' : 'what its own rules ask about is checked'
  return [about.ok(`${found?.version ?? record.agentVersion}: ${how}${seen}`), ...findings]
}

function inspectVersion(
  { setup, record }: InspectedConnection,
  found: InstalledAgent | undefined,
): Finding[] {
  const { warning, problem } = findingsAbout(setup.title)
  if (found === undefined)
    return [
      warning(`${record.program} is gone`, `if you no longer use it, run: banksman disconnect ${setup.name}`),
    ]
  const { version } = found
  if (version === '') return [warning(`${found.program} doesn't say which version it is`)]
  const oldest = setup.modes[record.mode] ?? 'another'
  if (!isAtLeast(version, oldest))
    return [problem(`version ${version} can't be relied on; it must be at least ${oldest}`, 'update it')]
  if (record.url !== undefined && setup.sendsEvents?.(version) !== true)
    return [
      problem(
        `version ${version} makes a call when its hook can't reach the server`,
        `update it, or run: banksman connect ${setup.name}`,
      ),
    ]
  if (setup.sendsEvents?.(record.agentVersion) === true && setup.sendsEvents(version) !== true)
    return [
      problem(
        `version ${version} may not read the hooks that were written for ${record.agentVersion}`,
        `run: banksman connect ${setup.name}`,
      ),
    ]
  return []
}

/** An agent that is started in another environment than it was connected in may read none of our hooks. */
function inspectPlace({ setup, place, record }: InspectedConnection): Finding[] {
  const [folder, read] = [recordedFolder(setup, place, record), setup.folder(place)]
  if (isSamePath(folder, read)) return []
  return [
    findingsAbout(setup.title).problem(
      `its hooks are in ${folder}, and in this environment it reads ${read}: calls of an agent that is started here may pass unseen`,
      `start it with ${setup.movedBy}=${folder}, or move the hooks with: banksman connect ${setup.name}`,
    ),
  ]
}

function inspectEntries({ setup, place, record }: InspectedConnection, again: string): Finding[] {
  const { problem } = findingsAbout(setup.title)
  return setupFiles(setup, place, record).flatMap((file) => {
    try {
      const state = file.find(readIfThere(file.path, MAX_GROWN_BYTES))
      if (state === 'there') return []
      const what =
        state === 'missing'
          ? 'has no hooks of Banksman any longer'
          : 'has hooks of Banksman that were changed'
      return [problem(`${file.path} ${what}: calls may pass unseen`, again)]
    } catch (error) {
      return [problem(`${file.path} can't be read: ${(error as Error).message}`, again)]
    }
  })
}

/** Those in files that are known, and those that the agent itself lists. */
function inspectOtherHooks(
  { setup, place, record, project }: InspectedConnection,
  listed: ListedHooks | Error | undefined,
): Finding[] {
  const wiring = wiringOf(record, place.environment, setup)
  const inLists = listed === undefined || listed instanceof Error ? [] : listed.others
  const others = [...new Set([...setup.otherHooks(place, wiring, project, DISK), ...inLists])]
  if (others.length === 0) return []
  return [
    findingsAbout(setup.title).warning(
      `other hooks see its calls too: ${others.slice(0, 3).join(', ')}${others.length > 3 ? ', …' : ''}`,
      setup.withOtherHooks ??
        'a hook may change what is called; what a person approved is pinned as far as the agent allows',
    ),
  ]
}

function inspectOwnFiles({ setup, place, record }: InspectedConnection, again: string): Finding[] {
  const { problem } = findingsAbout(setup.title)
  const { script, token } = connectionFiles(place.environment, setup.name)
  if (digestOf(readIfThere(script) ?? '') !== record.script)
    return [problem(`${script} is not as Banksman wrote it`, again)]
  return [script, token].flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return [problem(`${path} is missing`, again)]
    const isOpen = process.platform !== 'win32' && (found.mode & OTHERS) !== 0
    return isOpen ? [problem(`others can use ${path}`, `run: chmod go= ${path}`)] : []
  })
}

/** As the agent lists them in the project, where it has a list. */
async function listHooks(
  { setup, place, record, project }: InspectedConnection,
  found: InstalledAgent | undefined,
): Promise<ListedHooks | Error | undefined> {
  if (found === undefined) return undefined
  const wiring = wiringOf(record, place.environment, setup)
  const lists = agentTools(setup.name).openHooks?.({
    setup,
    place,
    program: found.program,
    wiring,
    folder: project,
  })
  try {
    return await lists?.list()
  } catch (error) {
    return error as Error
  } finally {
    await lists?.close()
  }
}

function inspectTrust(
  { setup, record }: InspectedConnection,
  listed: ListedHooks | Error | undefined,
  again: string,
): Finding[] {
  if (listed === undefined) return []
  const { problem } = findingsAbout(setup.title)
  if (listed instanceof Error)
    return [problem(`whether it runs the hooks is not known: ${listed.message}`, again)]
  const { ours } = listed
  const isTrusted = ours.length >= record.trusted.length && ours.every((hook) => hook.isTrusted)
  return isTrusted ? [] : [problem(`${setup.title} doesn't trust the hooks, so it doesn't run them`, again)]
}

function inspectSwitches({ setup, place, record, project }: InspectedConnection): Finding[] {
  const { problem } = findingsAbout(setup.title)
  try {
    return setup
      .switchedOff(place, project, DISK, wiringOf(record, place.environment, setup))
      .map(({ path, because }) =>
        problem(`${path} switches hooks off (${because})`, `take it out of ${path}`),
      )
  } catch (error) {
    return [problem(`whether its hooks are switched off is not known: ${(error as Error).message}`)]
  }
}

/** A turn takes some time, and what is said in it is written down before and after its calls. */
const UNSEEN_AFTER_MS = 15 * 60_000

/** Whatever the cause is: it has worked, and we were told nothing. */
function inspectUnseen({ setup, place, record, token }: InspectedConnection): Finding[] {
  const { transcripts } = setup
  if (transcripts === undefined || token?.isKnown !== true) return []
  const { folder, ending, depth } = transcripts(place)
  const worked = lastWritten(folder, ending, depth)
  const heard = Math.max(Date.parse(record.at), Date.parse(token.lastEvent ?? record.at))
  if (worked === undefined || worked.getTime() - heard < UNSEEN_AFTER_MS) return []
  return [
    findingsAbout(setup.title).warning(
      `it has worked at ${worked.toISOString()}, and no event has arrived since ${new Date(heard).toISOString()}: calls may have passed unseen`,
      'a session that was open before has to be started again; otherwise something keeps it from running its hooks',
    ),
  ]
}

function inspectBelief({ setup, record }: InspectedConnection): Finding[] {
  const belief = beliefOf(record)
  if (belief === undefined) return []
  const { ok, warning } = findingsAbout(setup.title)
  return [(belief.kind === 'own' ? ok : warning)(belief.message, belief.advice)]
}

function inspectServer({ setup, record, token }: InspectedConnection, again: string): Finding[] {
  const { warning, problem } = findingsAbout(setup.title)
  if (token?.isKnown === false)
    return [problem('the server no longer knows its token, so every call is refused', again)]
  if (record.data === undefined) return []
  const running = findRunningServer(dataFolderAt(record.data))
  if (running === undefined)
    return [
      warning(
        `the server on ${record.data} isn't running, so every call is refused`,
        'start it with: banksman start',
      ),
    ]
  const isThere = record.url === undefined || new URL(record.url).port === new URL(running.url).port
  return isThere
    ? []
    : [problem(`the server is at ${running.url} now, and the hooks go to ${record.url}`, again)]
}
