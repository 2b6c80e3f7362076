/** What a configuration file says of a call, judged as a server on this data folder would, without asking anyone. */
import { resolve } from 'node:path'
import { prepareCall, type ToolCall } from '../core/call.ts'
import type { Verdict } from '../core/verdict.ts'
import { type Configuration, compileConfigured } from './configuration.ts'
import { type DataFolder, readServerFile } from './data-folder.ts'
import { gatherFacts } from './facts.ts'
import { trustFolder } from './trust.ts'

export interface ExplainOptions {
  configuration: Configuration
  /** The file it was read from. */
  file: string
  folder: DataFolder
  environment: Record<string, string | undefined>
  /** Used where no server has left its address. */
  defaultAddress: string
}

export async function explainCall(call: ToolCall, options: ExplainOptions): Promise<Verdict> {
  const { folder } = options
  const url = readServerFile(folder)?.url
  const address = url !== undefined && URL.canParse(url) ? new URL(url).host : options.defaultAddress
  const policy = compileConfigured(options.configuration, {
    ownHouse: {
      files: [resolve(options.file)],
      folders: [folder.path, trustFolder(options.environment)],
      addresses: [address],
      program: 'banksman',
    },
  })
  const prepared = prepareCall(call)
  return policy.evaluate(prepared, await gatherFacts(prepared))
}
