/**
 * Where package managers fetch from, by the settings of the project and of the home folder. What the environment of the
 * agent says is not known here, and neither is what a lock file or a manifest names. A file that can't be read says
 * nothing.
 */
import { join } from 'node:path'
import type { HostFact } from '../../core/verdict.ts'
import type { HostSettings } from '../../policy/network/reach.ts'
import { bareAddress, foldersAround, readSettings } from './read-settings.ts'

interface Registry {
  /** In the folder and in those around it; the nearest counts first. */
  readonly around: readonly string[]
  readonly home: readonly string[]
  readonly system?: readonly string[]
  /** The setting whose value is reached. Other addresses in the files may be. */
  readonly sure?: RegExp
}

const REGISTRIES: Readonly<Record<Exclude<HostSettings, 'git'>, Registry>> = {
  npm: {
    around: ['.npmrc', '.yarnrc', '.yarnrc.yml', 'bunfig.toml', 'pnpm-workspace.yaml'],
    home: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml', '.config/pnpm/rc'],
    sure: /^\s*"?(?:registry|npmRegistryServer)"?\s*[=:\s]\s*"?([^"\s]+)/,
  },
  python: {
    around: ['.venv/pip.conf', 'venv/pip.conf', 'uv.toml', 'pyproject.toml', 'poetry.toml', 'Pipfile'],
    home: [
      '.pip/pip.conf',
      '.config/pip/pip.conf',
      '.config/uv/uv.toml',
      '.config/pypoetry/config.toml',
      '.condarc',
    ],
    system: ['/etc/pip.conf', '/etc/uv/uv.toml'],
    sure: /^\s*index[-_]url\s*=\s*"?([^"\s]+)/,
  },
  cargo: { around: ['.cargo/config.toml', '.cargo/config'], home: ['.cargo/config.toml', '.cargo/config'] },
  go: { around: [], home: ['.config/go/env', 'Library/Application Support/go/env'] },
  ruby: { around: ['.bundle/config', 'Gemfile'], home: ['.gemrc', '.bundle/config'], system: ['/etc/gemrc'] },
  php: { around: ['composer.json'], home: ['.composer/config.json', '.config/composer/config.json'] },
}

export async function findRegistries(
  settings: Exclude<HostSettings, 'git'>,
  folder: string,
  home: string,
): Promise<HostFact> {
  const { around, home: below, system = [], sure } = REGISTRIES[settings]
  const files = [
    ...foldersAround(folder).flatMap((one) => around.map((name) => join(one, name))),
    ...below.map((name) => join(home, name)),
    ...system,
  ]
  const reached: string[] = []
  const possible = new Set<string>()
  for (const file of new Set(files)) {
    const text = await readSettings(file)
    if (text === undefined || text === 'none') continue
    for (const line of text.split(/\r?\n/)) {
      if (/^\s*(?:[#;]|\/\/)/.test(line)) continue
      const [, chosen] = sure?.exec(line) ?? []
      const host = chosen === undefined ? undefined : bareAddress(chosen)
      if (host !== undefined) reached.push(host)
      for (const [address] of line.matchAll(/[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>,)\]}]+/gi)) {
        const other = bareAddress(address)
        if (other !== undefined) possible.add(other)
      }
    }
  }
  // The nearest file counts.
  const nearest = reached.slice(0, 1)
  return {
    sure: nearest,
    possible: [...possible]
      .filter((one) => !nearest.includes(one))
      .sort()
      .slice(0, MAX_HOSTS),
  }
}

/** More than any settings name. */
const MAX_HOSTS = 64
