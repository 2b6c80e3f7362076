import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { compileDomainHost, compileHostPattern } from './host.ts'
import { hostOf } from './host-address.ts'
import type { MatchResult } from './match-result.ts'

describe('compileHostPattern', () => {
  it('compares the host that the address leads to', () => {
    check(compileHostPattern('github.com', ''), {
      'https://github.com': 'yes',
      'https://github.com/': 'yes',
      'http://github.com:8080/x?y#z': 'yes',
      'HTTPS://GitHub.COM/x': 'yes',
      'https://github.com./x': 'yes',
      'https://user:secret@github.com/': 'yes',
      'https://%67ithub.com/': 'yes',
      'https://ｇithub。com/': 'yes',
      'wss://github.com/socket': 'yes',
      'https://github.com.evil.example/': 'no',
      'https://github.com@evil.example/': 'no',
      'https://github.com:x@evil.example/': 'no',
      'https://evil.example/github.com': 'no',
      'https://evil.example/?https://github.com': 'no',
      'https://evil.example#@github.com': 'no',
      'https://evilgithub.com/': 'no',
      'https://api.github.com/': 'no',
      'https://githuḅ.com/': 'no',
      'https://xn--gthub-n4a.com/': 'no',
    })
  })

  it('P5: is unknown where programs would read the text differently', () => {
    for (const pattern of ['github.com', '*', '*.github.com', 'https://github.com', 'github.com:443']) {
      const matches = compileHostPattern(pattern, '')
      for (const text of [
        '',
        'github.com',
        'github.com/x',
        '//github.com/x',
        '/x',
        'https:github.com',
        'https:/github.com',
        'https:///github.com',
        'https://',
        'https://github.com\\@evil.example/',
        'https://evil.example\\.github.com/',
        'https://git\thub.com/',
        'https://git\nhub.com/',
        ' https://github.com/',
        'https://github.com/ x',
        'https://github.com\0.evil.example/',
        'https://github.com\u2028',
        'https://github.com:99999/',
        'https://github..com/',
        'https://[::1',
        'https://[fe80::1%25eth0]/',
        'https://a b/',
        'data:text/html,x',
        'mailto:a@github.com',
        'javascript:alert(1)',
      ]) {
        expect(matches(text), `${pattern} on ${JSON.stringify(text)}`).toBe('unknown')
      }
    }
  })

  it('P5: is unknown for schemes of other programs, unless the pattern names the scheme', () => {
    check(compileHostPattern('github.com', ''), {
      'ssh://git@github.com/x': 'unknown',
      'git+ssh://github.com/x': 'unknown',
      'gopher://github.com/': 'unknown',
      'file://github.com/x': 'unknown',
    })
    check(compileHostPattern('*', ''), { 'ssh://evil.example/': 'unknown' })
    check(compileHostPattern('ssh://github.com', ''), {
      'ssh://git@GITHUB.com/x': 'yes',
      'ssh://git@github.com./x': 'yes',
      'ssh://evil.example/x': 'no',
      'https://github.com/x': 'no',
    })
    check(compileHostPattern('ssh://github.com:22', ''), {
      'ssh://github.com:22/x': 'yes',
      'ssh://github.com:2222/x': 'no',
      'ssh://github.com/x': 'unknown',
    })
  })

  it('takes *. for the hosts below, not for the host itself', () => {
    check(compileHostPattern('*.example.com', ''), {
      'https://a.example.com/': 'yes',
      'https://a.b.EXAMPLE.com./': 'yes',
      'https://example.com/': 'no',
      'https://.example.com/': 'unknown',
      'https://evilexample.com/': 'no',
      'https://a.example.com.evil.example/': 'no',
    })
    check(compileHostPattern('*', ''), { 'https://anything.example:1/': 'yes', 'http://[::1]/': 'yes' })
  })

  it('compares scheme and port where the pattern names them', () => {
    check(compileHostPattern('https://example.com', ''), {
      'https://example.com:8443/': 'yes',
      'http://example.com/': 'no',
      'wss://example.com/': 'no',
    })
    check(compileHostPattern('example.com:443', ''), {
      'https://example.com/': 'yes',
      'https://example.com:443/': 'yes',
      'http://example.com:443/': 'yes',
      'http://example.com/': 'no',
      'https://example.com:8443/': 'no',
    })
    check(compileHostPattern('HTTP://*.Example.com:08080/', ''), { 'http://a.example.com:8080/': 'yes' })
    check(compileHostPattern('*:22', ''), { 'http://x.example:22/': 'yes', 'http://x.example/': 'no' })
  })

  it('sees an address in all of its spellings', () => {
    check(compileHostPattern('169.254.169.254', ''), {
      'http://169.254.169.254/latest': 'yes',
      'http://0xA9FEA9FE/': 'yes',
      'http://2852039166/': 'yes',
      'http://0251.0376.0251.0376/': 'yes',
      'http://169.254.43518/': 'yes',
      'http://169.254.169.254./': 'yes',
      'http://１６９.254.169.254/': 'yes',
      'http://[::ffff:169.254.169.254]/': 'yes',
      'http://[0:0:0:0:0:ffff:a9fe:a9fe]/': 'yes',
      'http://[::169.254.169.254]/': 'unknown',
      'http://[64:ff9b::a9fe:a9fe]/': 'unknown',
      'http://169.254.169.253/': 'no',
      'http://169.254.169.254.example/': 'no',
    })
    for (const pattern of ['0xA9FEA9FE', '2852039166', '[::ffff:a9fe:a9fe]']) {
      check(compileHostPattern(pattern, ''), { 'http://169.254.169.254/': 'yes' })
    }
    check(compileHostPattern('[::1]', ''), {
      'http://[0:0:0:0:0:0:0:1]:80/': 'yes',
      'http://[::0001]/': 'yes',
      'http://[::2]/': 'no',
    })
    check(compileHostPattern('[2001:DB8::1]', ''), { 'http://[2001:db8:0::1]/': 'yes' })
  })

  it('P5: other names of this machine can not be ruled out', () => {
    check(compileHostPattern('127.0.0.1', ''), {
      'http://127.0.0.1/': 'yes',
      'http://127.1/': 'yes',
      'http://localhost/': 'unknown',
      'http://127.0.0.2/': 'unknown',
      'http://[::1]/': 'unknown',
      'http://[::ffff:127.0.0.1]/': 'yes',
      'http://a.localhost/': 'unknown',
      'http://128.0.0.1/': 'no',
    })
  })

  it('compares names of other scripts in their ASCII form', () => {
    check(compileHostPattern('bücher.example', ''), {
      'https://xn--bcher-kva.example/': 'yes',
      'https://BÜCHER.example/': 'yes',
      'https://bucher.example/': 'no',
    })
    check(compileHostPattern('*.xn--bcher-kva.example', ''), { 'https://a.bücher.example/': 'yes' })
  })

  it('refuses what is no host, and says what would be right', () => {
    const cases: [pattern: string, words: string][] = [
      ['https://github.com/openai', 'has a path'],
      ['github.com/openai', 'has a path'],
      ['user@github.com', 'has a user name'],
      ['git*.com', 'A * can only stand at the beginning'],
      ['*example.com', 'A * can only stand at the beginning'],
      ['a.*.com', 'A * can only stand at the beginning'],
      ['*.*', 'names no host'],
      ['*.127.0.0.1', 'names no host'],
      ['*.[::1]', 'names no host'],
      ['::1', 'in brackets, as in [::1]'],
      ['a..b', 'names no host'],
      ['.example.com', 'names no host'],
      ['a b', 'is no host pattern'],
      ['%67ithub.com', 'is no host pattern'],
      ['example.com:https', 'is no host pattern'],
      ['example.com:70000', 'at most 65535'],
      ['', 'is empty'],
      ['https://', 'is no host pattern'],
    ]
    for (const [pattern, words] of cases) {
      const error = refusalOf(() => compileHostPattern(pattern, '/host'))
      expect(error.message, pattern).toContain(words)
      expect(error.details.pointer).toBe('/host')
    }
  })
})

describe('compileDomainHost', () => {
  it('is the host itself and every host below it', () => {
    check(compileDomainHost('Example.com', '').url, {
      'https://example.com/': 'yes',
      'https://a.b.example.com/': 'yes',
      'https://badexample.com/': 'no',
      'https://example.com.evil.example/': 'no',
      'example.com': 'unknown',
      'ssh://example.com': 'unknown',
    })
    check(compileDomainHost('10.0.0.1', '').url, {
      'http://10.1/': 'yes',
      'http://x.10.0.0.1.example/': 'no',
    })
    check(compileDomainHost('*.example.com', '').url, {
      'https://example.com/': 'no',
      'https://a.example.com/': 'yes',
    })
    expect(refusalOf(() => compileDomainHost('https://example.com', '/x').url).message).toContain(
      'write domain:example.com',
    )
    expect(refusalOf(() => compileDomainHost('example.com:80', '/x').url).details.suggestion).toBe(
      'domain:example.com',
    )
  })
})

describe('hostOf', () => {
  it('gives the host as it is compared, which is a pattern for itself', () => {
    expect(hostOf('https://A.Example.com.:8443/x')).toBe('a.example.com')
    expect(hostOf('http://0x7f000001/')).toBe('127.0.0.1')
    expect(hostOf('http://[0::1]/')).toBe('[::1]')
    expect(hostOf('ssh://example.com/')).toBeUndefined()
    expect(hostOf('example.com')).toBeUndefined()
  })

  it('property: of any web address it is a pattern that fits the address and no other host', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.domain(), (url, domain) => {
        const host = hostOf(url)
        fc.pre(host !== undefined)
        expect(compileHostPattern(host!, '')(url)).toBe('yes')
        expect(compileDomainHost(host!, '').url(url)).toBe('yes')
        if (domain.toLowerCase() !== host) expect(compileHostPattern(domain, '')(url)).toBe('no')
      }),
      { numRuns: 50 },
    )
  })

  it('property: user-info, port, path and case never change whether a host fits', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    fc.assert(
      fc.property(fc.domain(), fc.domain(), word, word, (host, other, user, path) => {
        const plain = compileHostPattern(host, '')(`https://${other}/`)
        for (const url of [
          `https://${host}@${other}/`,
          `https://${user}:${host}@${other}:8443/${path}`,
          `https://${other.toUpperCase()}./${host}`,
          `https://${other}?https://${host}`,
          `https://${other}#@${host}/`,
        ]) {
          expect(compileHostPattern(host, '')(url)).toBe(plain)
        }
      }),
    )
  })
})

function check(matches: (url: string) => MatchResult, cases: Record<string, MatchResult>): void {
  for (const [url, holds] of Object.entries(cases)) expect(matches(url), url).toBe(holds)
}

function refusalOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy') return error
    throw error
  }
  throw new Error('it was accepted')
}
