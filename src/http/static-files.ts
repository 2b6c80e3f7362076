/**
 * Serves a folder of files, the web app. Every file goes out with a policy under which only the app's own files run
 * or load: text that an agent wrote can't become a script, and nothing can frame the page or make it talk elsewhere.
 *
 * Only names that are plain are looked up, and what a name leads to must lie in the folder, links followed.
 */
import { hash } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

export interface StaticFile {
  body: Uint8Array<ArrayBuffer>
  headers: Record<string, string>
}

export interface StaticFiles {
  /** The file at the path of a URL, still escaped; undefined when there is none. */
  serve(path: string): Promise<StaticFile | undefined>
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** What a browser could offer and the page has no use for, so that nothing in it ever gets it. */
const PERMISSIONS_POLICY = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
}

/** No dot at the start, so neither `..` nor hidden files; no separator of any system; nothing that needs an escape. */
const PLAIN_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

export function createStaticFiles(folder: string): StaticFiles {
  return {
    async serve(path) {
      const names = path === '/' ? ['index.html'] : path.slice(1).split('/')
      const type = TYPES[extname(names.at(-1) ?? '')]
      if (!path.startsWith('/') || type === undefined || !names.every((name) => PLAIN_NAME.test(name)))
        return undefined
      const body = await readWithin(folder, names)
      if (body === undefined) return undefined
      // Built files carry a hash of their content in their name; the others are asked for again each time.
      const isNamedByContent = names[0] === 'assets'
      return {
        body,
        headers: {
          'content-type': type,
          'content-security-policy': CONTENT_SECURITY_POLICY,
          'cross-origin-opener-policy': 'same-origin',
          // For browsers that do not know `frame-ancestors`.
          'x-frame-options': 'DENY',
          'permissions-policy': PERMISSIONS_POLICY,
          'cache-control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
          etag: `"${hash('sha256', body, 'hex').slice(0, 32)}"`,
        },
      }
    },
  }
}

async function readWithin(folder: string, names: string[]): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const root = await realpath(folder)
    const file = await realpath(join(root, ...names))
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
    return new Uint8Array(await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP') return undefined
    throw error
  }
}
