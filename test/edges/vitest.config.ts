import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FOLDER, packedModule } from './packed/packed-modules.ts'

const PRELOAD = `--import=${pathToFileURL(join(FOLDER, 'packed/packed-hooks.ts')).href}`

export default defineConfig({
  plugins: [
    {
      name: 'packed-package',
      enforce: 'pre',
      resolveId(name, importer) {
        const packed = importer === undefined ? undefined : packedModule(name, dirname(importer))
        return packed === undefined ? undefined : this.resolve(packed, join(FOLDER, 'package.json'))
      },
    },
  ],
  test: {
    root: FOLDER,
    include: ['**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: 'forks',
    maxWorkers: 2,
    env: { NODE_OPTIONS: PRELOAD },
  },
})
