import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkEndpoint } from './endpoint.ts'

describe('where pushes may go', () => {
  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://eu-1.push.apple.com/abc',
    'https://a.eu-1.push.apple.com/abc',
    'https://wns2-am3p.notify.windows.com/w/?token=abc',
  ])('to %s', (endpoint) => {
    expect(checkEndpoint(endpoint, []).href).toBe(endpoint)
  })

  it.each([
    'http://fcm.googleapis.com/fcm/send/abc',
    'https://fcm.googleapis.com:8443/abc',
    'https://fcm.googleapis.com./abc',
    'https://fcm.googleapis.com.evil.example/abc',
    'https://evilfcm.googleapis.com/abc',
    'https://x.fcm.googleapis.com/abc',
    'https://fcm.googleapis.com@evil.example/abc',
    'https://user:secret@fcm.googleapis.com/abc',
    'https://evil.example/fcm.googleapis.com',
    'https://evil.example#.push.apple.com',
    'https://evil.example/.push.apple.com',
    'https://push.apple.com/abc',
    'https://evilpush.apple.com/abc',
    'https://.push.apple.com/x',
    'https://.notify.windows.com/',
    'https://..notify.windows.com/',
    'https://a..push.apple.com/x',
    'https://.a.push.apple.com/x',
    'https://-.push.apple.com/x',
    'https://a-.push.apple.com/x',
    'https://*.push.apple.com/x',
    'https://_.push.apple.com/x',
    `https://${'a'.repeat(64)}.push.apple.com/x`,
    'https://127.0.0.1/abc',
    'https://localhost/abc',
    'http://169.254.169.254/latest/meta-data',
    'https://[::1]/abc',
    'https://10.0.0.1/abc',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:alert(1)',
    '//fcm.googleapis.com/abc',
    'not an address',
    '',
    `https://fcm.googleapis.com/${'a'.repeat(2048)}`,
  ])('never to %s, whoever asks', (endpoint) => {
    expect(() => checkEndpoint(endpoint, [])).toThrow(expect.objectContaining({ code: 'invalid' }))
  })

  it('to what the configuration names, with its port, and in the clear only on this machine', () => {
    const services = ['push.example.org', '127.0.0.1:8090', '[::1]:8090', 'localhost:8090']
    for (const fine of [
      'https://push.example.org/abc',
      'http://127.0.0.1:8090/abc',
      'https://127.0.0.1:8090/abc',
      'http://[::1]:8090/abc',
      'http://localhost:8090/abc',
    ]) {
      expect(checkEndpoint(fine, services).href).toBe(fine)
    }
    for (const wrong of [
      'http://push.example.org/abc',
      'https://push.example.org:444/abc',
      'https://sub.push.example.org/abc',
      'http://127.0.0.1:8091/abc',
      'http://127.0.0.1/abc',
      'ftp://127.0.0.1:8090/abc',
      'http://127.0.0.1:8090@evil.example/abc',
    ]) {
      expect(() => checkEndpoint(wrong, services), wrong).toThrow()
    }
    expect(() => checkEndpoint('http://127.0.0.1:8090/abc', [])).toThrow()
  })

  it('whatever is written, what gets through is https at a known host', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '//',
      '/',
      '\\',
      '@',
      ':',
      '#',
      '?',
      '.',
      'fcm.googleapis.com',
      '.push.apple.com',
      'evil.example',
      '127.0.0.1',
      '443',
      '%2e',
      '\t',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        let url: URL
        try {
          url = checkEndpoint(pieces.join(''), [])
        } catch {
          return
        }
        expect([url.protocol, url.port, url.username]).toEqual(['https:', '', ''])
        expect(url.hostname === 'fcm.googleapis.com' || url.hostname.endsWith('.push.apple.com')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
