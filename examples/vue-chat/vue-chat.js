// A chat page in Vue, built on `banksman/client`.
//
//   npm run build            builds the page into dist/; `reactPlus.pages` in banksman.yaml names the folder
//   node vue-chat.js --check builds it elsewhere, looks at what came out and exits non-zero when something is wrong
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const MOST_KILOBYTES = 60
const root = fileURLToPath(new URL('.', import.meta.url))
const checking = process.argv.includes('--check')
const outDir = checking ? mkdtempSync(join(tmpdir(), 'banksman-vue-chat-')) : join(root, 'dist')

try {
  await build({ root, logLevel: 'error', mode: 'production', build: { outDir, emptyOutDir: true } })
  const files = readdirSync(outDir, { recursive: true })
    .filter((name) => extname(name) !== '')
    .map((name) => ({ name, text: readFileSync(join(outDir, name), 'utf8') }))
  const page = files.find(({ name }) => name === 'index.html').text
  // The server's content security policy would stop all of these.
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)/, 'the page has an inline script')
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=/, 'the page has an inline style or handler')
  assert.doesNotMatch(page, /(?:src|href)="(?:https?:)?\/\//, 'the page loads something from elsewhere')
  const scripts = files.filter(({ name }) => name.endsWith('.js'))
  for (const { name, text } of scripts) {
    assert.doesNotMatch(text, /new Function\(|\beval\(/, `${name} compiles text to code`)
  }
  const bytes = scripts.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
  assert.ok(bytes < MOST_KILOBYTES * 1000, `the scripts are ${bytes} bytes gzipped`)
  console.log(`built: ${(bytes / 1000).toFixed(1)} kB of scripts, gzipped`)
  if (checking) console.log('vue-chat: as it should be')
} finally {
  if (checking) rmSync(outDir, { recursive: true, force: true })
}
