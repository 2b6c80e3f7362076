/** Whether an agent could be opened here, before anything is opened: a model is configured, or the environment names one. */
import { modelFromEnvironment } from '../../agents/models/configuration/choose-model.ts'
import { userName } from '../host/user-name.ts'
import { createConfigurationSource } from './configuration-source.ts'
import { trustFolder } from './trust.ts'

export type FoundModel =
  | { kind: 'found' }
  /** `untrusted`: a file is there that may name one, and nobody has trusted it yet. */
  | { kind: 'none'; untrusted: boolean }

export function findModel(options: {
  /** The configuration file. It need not exist. */
  configuration: string
  environment: Record<string, string | undefined>
}): FoundModel {
  const { environment } = options
  const source = createConfigurationSource({
    file: options.configuration,
    trustFolder: trustFolder(environment),
    defaultOwner: userName(),
  })
  const isNamed =
    source.current().talk.agent.model !== undefined || modelFromEnvironment(environment) !== undefined
  return isNamed ? { kind: 'found' } : { kind: 'none', untrusted: source.status().kind === 'untrusted' }
}
