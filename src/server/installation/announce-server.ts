/** The file in the data folder by which the command line finds the running server. */
import { rmSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import { startedWith } from '../configuration/configuration-changes.ts'
import type { ConfigurationSource } from '../configuration/configuration-source.ts'
import { putFile } from '../host/replace-file.ts'
import type { PolicyInForce } from '../policy/policy-in-force.ts'
import type { DataFolder, ServerFile } from './data-folder.ts'

export interface ServerAnnouncement {
  /** Writes the file, with what the configuration says now. */
  write(): void
  close(): void
}

export function createServerAnnouncement(options: {
  folder: DataFolder
  url: string
  socket: string | undefined
  publicUrl: () => string | undefined
  configuration: Pick<ConfigurationSource, 'current'>
  policy: { inForce(): PolicyInForce }
}): ServerAnnouncement {
  const { folder, url, socket, publicUrl, configuration, policy } = options
  const { owner } = configuration.current()
  const started = startedWith(configuration.current())
  return {
    write() {
      const file: ServerFile = {
        url,
        pid: process.pid,
        owner,
        startedWith: started,
        people: [...configuration.current().people.keys()],
        ...defined({ socket, publicUrl: publicUrl(), demonstration: demonstrationIn(policy.inForce()) }),
      }
      putFile(folder.serverFile, JSON.stringify(file))
    },
    close() {
      rmSync(folder.serverFile, { force: true })
    },
  }
}

function demonstrationIn({ source, configuration }: PolicyInForce): ServerFile['demonstration'] {
  if (source !== 'demonstration') return undefined
  return { policy: configuration.policyBlock as object, roots: configuration.roots }
}
