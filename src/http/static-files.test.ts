import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../test/fixtures/http-gateway.ts'
import { createStaticFiles, type StaticFiles } from './static-files.ts'

let around: string
let files: StaticFiles
let http: HttpGateway
beforeAll(async () => {
  around = mkdtempSync(join(tmpdir(), 'banksman-static-'))
  const root = join(around, 'app')
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<!doctype html>')
  writeFileSync(join(root, 'assets', 'main-1a2b.js'), 'main()')
  writeFileSync(join(root, 'service-worker.js'), 'work()')
  writeFileSync(join(root, '.secret.txt'), 'hidden')
  writeFileSync(join(root, 'notes.md'), 'no known type')
  writeFileSync(join(around, 'secret.txt'), 'outside')
  mkdirSync(join(around, 'app-2'))
  writeFileSync(join(around, 'app-2', 'secret.txt'), 'outside')
  symlinkSync(join(around, 'secret.txt'), join(root, 'link.txt'))
  symlinkSync(around, join(root, 'up'))
  files = createStaticFiles(root)
  http = await openHttpGateway({ http: { inbox: files } })
})
afterAll(async () => {
  await http.close()
  rmSync(around, { recursive: true })
})

describe('pages of a channel', () => {
  it('are served below their path alone, under the same policy, beside the web app', async () => {
    const other = await openHttpGateway({
      http: { inbox: files, pages: { prefix: '/react-plus/', files } },
    })
    const page = await other.send('GET', '/react-plus/')
    expect([page.status, page.text]).toEqual([200, '<!doctype html>'])
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self';")
    expect((await other.send('GET', '/react-plus/assets/main-1a2b.js')).text).toBe('main()')
    expect((await other.send('GET', '/react-plus')).text).toBe('<!doctype html>')
    expect((await other.send('GET', '/')).status).toBe(200)
    for (const path of ['/react-plus/link.txt', '/react-plus/%2e%2e/secret.txt', '/react-plus//index.html']) {
      expect((await other.send('GET', path)).status).toBe(401)
    }
    expect((await other.send('POST', '/react-plus/')).status).toBe(401)
    await other.close()
  })
})

describe('the files of the web app', () => {
  it('need no credential, and go out under a policy that lets nothing else run', async () => {
    const { status, headers, text } = await http.send('GET', '/')
    expect([status, text]).toEqual([200, '<!doctype html>'])
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it('refuse to be framed in old browsers too, and switch off what the page does not use', async () => {
    for (const path of ['/', '/service-worker.js', '/assets/main-1a2b.js']) {
      const { headers } = await http.send('GET', path)
      expect(headers.get('x-frame-options')).toBe('DENY')
      const off = headers.get('permissions-policy')?.split(', ')
      expect(off).toEqual(expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'usb=()']))
      expect(off?.every((feature) => /^[a-z-]+=\(\)$/.test(feature))).toBe(true)
    }
  })

  it('the service worker is a script of the root that is asked for again each time', async () => {
    const { status, headers, text } = await http.send('GET', '/service-worker.js')
    expect([status, text]).toEqual([200, 'work()'])
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
  })

  it('are asked for again only when they may have changed', async () => {
    const { headers } = await http.send('GET', '/')
    const again = await http.send('GET', '/', { headers: { 'if-none-match': headers.get('etag')! } })
    expect([again.status, again.text]).toEqual([304, ''])
    const asset = await http.send('GET', '/assets/main-1a2b.js')
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await http.send('HEAD', '/')).status).toBe(200)
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/..\\secret.txt',
    '/../app-2/secret.txt',
    '//secret.txt',
    '/link.txt',
    '/up/secret.txt',
    '/.secret.txt',
    '/notes.md',
    '/assets',
    '/assets/',
    '/index.html/',
    '/index.html%00.js',
    'index.html',
    '',
  ])('are the only ones: %s is not there', async (path) => {
    expect(await files.serve(path)).toBeUndefined()
  })

  it('are the only ones, whatever is asked for', async () => {
    const step = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '%2e',
      '%2f',
      'secret.txt',
      'up',
      'app',
      'app-2',
      'link.txt',
      '\0',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step), async (steps) => {
        const file = await files.serve(`/${steps.join('')}`)
        expect(file === undefined || Buffer.from(file.body).toString() === '<!doctype html>').toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('do not stand in for the API: what is not there needs a credential', async () => {
    expect((await http.send('GET', '/v1/index.html')).status).toBe(401)
    expect((await http.send('GET', '/nothing.html')).status).toBe(401)
    expect((await http.send('POST', '/')).status).toBe(401)
    expect((await http.send('GET', '/nothing.html', { as: 'eve' })).json.code).toBe('unknown_route')
  })
})
