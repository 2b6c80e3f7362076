/** The file in the data folder by which the command line finds the running server. */
import { rmSync, writeFileSync } from 'node:fs'
import { defined } from '../../core/defined.ts'
import { startedWith } from '../configuration/configuration-changes.ts'
import type { ConfigurationSource } from '../configuration/configuration-source.ts'
import type { DataFolder, ServerFile } from './data-folder.ts'

export interface ServerAnnouncement {
  /** Writes the file, with what the configuration says now. */
  write(): void
  close(): void
}

export function createServerAnnouncement(options: {
  folder: DataFolder
  url: string
  publicUrl: () => string | undefined
  configuration: Pick<ConfigurationSource, 'current'>
}): ServerAnnouncement {
  const { folder, url, publicUrl, configuration } = options
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
        ...defined({ publicUrl: publicUrl() }),
      }
      writeFileSync(folder.serverFile, JSON.stringify(file), { mode: 0o600 })
    },
    close() {
      rmSync(folder.serverFile, { force: true })
    },
  }
}
