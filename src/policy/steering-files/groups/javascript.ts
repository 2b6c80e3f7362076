/** Files that steer the programs of JavaScript: package managers, and tools that load settings and plugins as code. */
import type { SteeringGroup } from '../steering-group.ts'

const PACKAGE_MANAGERS = ['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bun', 'bunx']
const TOOLS = ['biome', 'eslint', 'prettier', 'tsc', 'tsx', 'ts-node', 'vitest', 'jest', 'mocha']

/** Tools whose settings are code, or name code, by the extensions that they all take. */
function settingsOf(...names: readonly string[]): string[] {
  return names.flatMap((name) => [`${name}.config.*`, `.${name}rc`, `.${name}rc.*`])
}

export const JAVASCRIPT_GROUPS: readonly SteeringGroup[] = [
  {
    name: 'node',
    files: ['node_modules/**', '.pnp.*', '.yarn/**', '.node_modules/**'],
    why: 'steers.packages',
    readBy: [...PACKAGE_MANAGERS, ...TOOLS],
  },
  {
    name: 'npm',
    files: [
      '.npmrc',
      'npmrc',
      '.yarnrc',
      '.yarnrc.*',
      '.pnpmrc',
      '.pnpmfile.*',
      'pnpmfile.*',
      'pnpm-workspace.yaml',
      'bunfig.toml',
      '.bunfig.toml',
      'lerna.json',
    ],
    why: 'steers.npm',
    readBy: [...PACKAGE_MANAGERS, 'eslint'],
  },
  {
    name: 'eslint',
    files: [...settingsOf('eslint'), '.eslintplugin*'],
    why: 'steers.code-and-plugins',
    readBy: ['eslint'],
  },
  {
    name: 'prettier',
    files: settingsOf('prettier'),
    why: 'steers.code-and-plugins',
    readBy: ['prettier'],
  },
  {
    name: 'biome',
    files: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'],
    why: 'steers.biome',
    readBy: ['biome'],
  },
  {
    name: 'javascript tools',
    files: [
      ...settingsOf('stylelint', 'babel', 'postcss', 'jest', 'vitest', 'vite', 'mocha'),
      ...settingsOf(
        'lint-staged',
        'lintstaged',
        'commitlint',
        'xo',
        'oxlint',
        'remark',
        'textlint',
        'secretlint',
      ),
      ...settingsOf(
        'webpack',
        'rollup',
        'rspack',
        'tsup',
        'esbuild',
        'metro',
        'playwright',
        'cypress',
        'nyc',
        'ncu',
      ),
      ...settingsOf(
        'next',
        'nuxt',
        'astro',
        'svelte',
        'remix',
        'tailwind',
        'release',
        'semantic-release',
        'swc',
      ),
      ...settingsOf(
        'cspell',
        'knip',
        'c8',
        'ava',
        'stryker',
        'unocss',
        'svgo',
        'svgr',
        'graphql',
        'eleventy',
      ),
      ...[
        'cspell.json',
        '.cspell.json',
        'knip.json',
        'knip.jsonc',
        'knip.ts',
        'knip.js',
        'wdio.conf.*',
        'stryker.conf.*',
        'nx.json',
        '.czrc',
      ],
      ...['.eleventy.*', 'gatsby-config.*', 'gatsby-node.*', 'plopfile.*'],
      ...[
        '.storybook/**',
        '.xo-config*',
        '.markdownlint*',
        '.dependency-cruiser.*',
        'karma.conf.*',
        'dprint.json',
      ],
      ...['.dprint.json', 'tslint.json', 'gulpfile.*', 'Gruntfile.*', '.cz-config.*'],
      'vitest.workspace.*',
      '.huskyrc*',
    ],
    why: 'steers.code',
    readBy: ['vitest', 'jest', 'mocha'],
  },
  {
    name: 'javascript projects',
    files: ['package.json', 'tsconfig.json', 'tsconfig.*.json', 'jsconfig.json', 'deno.json', 'deno.jsonc'],
    why: 'steers.settings',
    readBy: ['eslint', 'prettier', 'deno', 'bun', 'bunx', 'tsx', 'ts-node', 'vitest', 'jest', 'mocha'],
    everyday: true,
  },
]
