/** The ready-made policies: plain files that lie beside the package's own code. Each says in its first line what it is for. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PolicyTemplate {
  name: string
  /** In one line. */
  about: string
  text: string
}

export function readPolicyTemplates(): PolicyTemplate[] {
  const folder = templatesFolder()
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const about = (text.split('\n', 1)[0] ?? '').replace(/^# /, '')
      return { name: file.slice(0, -'.yaml'.length), about, text }
    })
}

/** The same whether this runs from `src` or from `dist`. */
function templatesFolder(): string {
  return fileURLToPath(new URL('../../templates', import.meta.url))
}
