/** What a configuration file says of a call, judged as a server on this data folder would, without asking anyone. */
import { homedir } from 'node:os'
import { prepareCall, type ToolCall } from '../../core/call.ts'
import type { Explanation } from '../../policy/policy.ts'
import { type Configuration, compileConfigured } from '../configuration/configuration.ts'
import { personalFolder } from '../configuration/trust.ts'
import { createFactsGatherer } from '../facts/gather-facts.ts'
import { type DataFolder, readServerFile } from '../installation/data-folder.ts'
import { followConnectedFiles } from './connected-files.ts'
import { protectedResourcesAt } from './protected-resources.ts'

export interface ExplainOptions {
  configuration: Configuration
  /** The file it was read from. */
  file: string
  folder: DataFolder
  environment: Record<string, string | undefined>
  /** The session's mode, in place of the policy's. */
  mode?: string
  /** Used where no server has left its address. */
  defaultAddress: string
}

export async function explainCall(call: ToolCall, options: ExplainOptions): Promise<Explanation> {
  const { folder } = options
  const url = readServerFile(folder)?.url
  const address = url !== undefined && URL.canParse(url) ? new URL(url).host : options.defaultAddress
  const policy = compileConfigured(options.configuration, {
    ownHouse: protectedResourcesAt({
      files: [options.file],
      databases: [folder.database],
      folders: [folder.path, personalFolder(options.environment)],
      addresses: [address],
      environment: options.environment,
      connected: followConnectedFiles(personalFolder(options.environment)).current(),
    }),
  })
  const prepared = prepareCall(call)
  const gatherFacts = createFactsGatherer({ lookups: policy.lookups, now: Date.now, home: homedir() })
  return policy.explain(
    prepared,
    await gatherFacts(prepared),
    options.mode === undefined ? {} : { mode: options.mode },
  )
}
