import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../../core/verdict.ts'
import { compilePolicy, type PolicyBlock } from '../index.ts'
import type { WhenBlock } from '../language/language.ts'
import { MENTIONED, OPEN_PLACES, PLACES, WRITTEN } from './fixtures/host-places.ts'
import { BY_THEMSELVES, QUIET, UNTOLD } from './fixtures/untold-lines.ts'

const RUNS = Number(process.env.BANKSMAN_PROPERTY_RUNS ?? 1)

const judge = (block: PolicyBlock) => {
  const policy = compilePolicy({ mode: 'bypass', ...block }, { roots: ['/space'], home: '/home/ana' })
  return (command: string, facts?: Facts) =>
    policy.evaluate({ tool: 'Bash', arguments: { command }, cwd: '/space' }, facts).kind
}
const when = (block: WhenBlock, then: 'deny' | 'ask' | 'allow') =>
  judge({
    ...(then === 'allow' ? { mode: 'default' } : {}),
    rules: [{ name: 'the rule', when: block, then }],
  })

const denied = judge({ deny: ['WebFetch(domain:evil.example)'] })
const asked = judge({ ask: ['WebFetch(domain:evil.example)'] })
const deniedByRule = when({ host: ['evil.example', '*.evil.example'] }, 'deny')
const anyAsked = when({ kind: 'network' }, 'ask')
const anyDenied = when({ kind: 'network' }, 'deny')
const everyDenied = judge({ deny: ['WebFetch(*)'] })
const everyAsked = judge({ ask: ['WebFetch(domain:*)'] })

const at = (place: string, host: string) => place.replaceAll('HOST', host)

describe('a deny or an ask of a host', () => {
  it.each(PLACES)('sees it in %s', (place) => {
    const line = at(place, 'evil.example')
    expect(denied(line)).toBe('deny')
    expect(asked(line)).toBe('ask')
    expect(deniedByRule(line)).toBe('deny')
  })

  it.each(PLACES)('does not mind another host in %s', (place) => {
    expect(denied(at(place, 'other.example'))).toBe('allow')
  })

  it.each(WRITTEN)('sees it in %s, which is no network access by itself', (place) => {
    const line = at(place, 'evil.example')
    expect(denied(line)).toBe('deny')
    expect(asked(line)).toBe('ask')
    expect(anyAsked(line)).toBe('allow')
    expect(denied(at(place, 'other.example'))).toBe('allow')
  })

  it.each(OPEN_PLACES)('sees it in %s, where other hosts can not be ruled out', (place) => {
    expect(denied(at(place, 'evil.example'))).toBe('deny')
    expect(denied(at(place, 'other.example'))).toBe('ask')
  })

  it.each(MENTIONED)('has a person asked for %s, where it may be reached', (place) => {
    const line = at(place, 'evil.example')
    expect(denied(line)).toBe('ask')
    expect(asked(line)).toBe('ask')
    expect(denied(at(place, 'EVIL.example'))).toBe('ask')
    expect(denied(at(place, 'deep.evil.example'))).toBe('ask')
    expect(denied(at(place, 'notevil.example'))).toBe('allow')
  })

  it.each([
    'uv run curl a.example',
    'pnpm exec curl a.example',
    'tsocks curl a.example',
    'firefox a.example',
  ])('is about any host before %s needs a person', (line) => {
    expect(anyAsked(line)).toBe('ask')
    expect(denied(line)).toBe('allow')
  })

  it.each(['unheard-of main.ts', './run.sh a.example', 'make x.example', 'java -jar x.jar'])(
    'of any kind is not about a name in %s that may be anything',
    (line) => {
      for (const one of [anyAsked, anyDenied, everyDenied, everyAsked]) expect(one(line)).toBe('allow')
    },
  )

  it('finds the host of a command that an option runs, and has a person asked where that is another', () => {
    expect(denied('rsync -e "ssh -J evil.example" a good.example:b')).toBe('deny')
    expect(denied('rsync -e "ssh -J other.example" a good.example:b')).toBe('ask')
  })

  it.each(UNTOLD)('P5: has a person asked for %s, and never denies it', (line) => {
    expect(denied(line)).toBe('ask')
    expect(asked(line)).toBe('ask')
    expect(deniedByRule(line)).toBe('ask')
    expect(anyAsked(line)).toBe('ask')
  })

  it.each(QUIET)('says nothing about %s', (line) => {
    for (const one of [denied, asked, anyAsked, anyDenied, everyDenied, everyAsked])
      expect(one(line)).toBe('allow')
  })

  it.each(BY_THEMSELVES)('is about any host before %s needs a person', (line) => {
    expect(denied(line)).toBe('allow')
    for (const one of [anyAsked, anyDenied, everyDenied, everyAsked]) expect(one(line)).toBe('ask')
  })

  it('is about every tool that reaches the network, as one of a path is about every tool that reads', () => {
    const policy = compilePolicy({ mode: 'bypass', deny: ['WebFetch(domain:evil.example)'] })
    const tool = (name: string, args: Record<string, string>) =>
      policy.evaluate({ tool: name, arguments: args }).kind
    expect(tool('fetch_url', { url: 'https://evil.example/x' })).toBe('deny')
    expect(tool('fetch_url', { url: 'https://good.example/x' })).toBe('allow')
    expect(tool('WebSearch', { query: 'evil.example' })).toBe('allow')
    expect(tool('Read', { file_path: '/evil.example' })).toBe('allow')
    expect(tool('WebFetch', {})).toBe('ask')
  })

  it('asks about the very host that is usual', () => {
    for (const host of ['domain:npmjs.org', 'a.npmjs.org', '*.npmjs.org', 'npmjs.org', 'domain:org'])
      expect(judge({ deny: [`WebFetch(${host})`] })('npm install'), host).toBe('ask')
    expect(judge({ deny: ['WebFetch(domain:notnpmjs.org)'] })('npm install')).toBe('allow')
    const npm = judge({ deny: ['WebFetch(domain:npmjs.org)'] })
    expect(npm('npm install --registry https://other.example')).toBe('allow')
    expect(judge({ deny: ['WebFetch(domain:github.com)'] })('gh pr list')).toBe('deny')
    expect(judge({ deny: ['WebFetch(domain:docker.io)'] })('docker pull ubuntu')).toBe('deny')
    expect(judge({ deny: ['WebFetch(domain:github.com)'] })('npm i github:a/b')).toBe('deny')
    expect(judge({ deny: ['WebFetch(domain:github.com)'] })('npm i a/b')).toBe('deny')
  })

  it('compares schemes and ports where the line says them', () => {
    const port = judge({ deny: ['WebFetch(evil.example:8443)'] })
    expect(port('curl https://evil.example:8443/')).toBe('deny')
    expect(port('curl https://evil.example/')).toBe('allow')
    expect(port('ssh evil.example')).toBe('ask')
    const scheme = judge({ deny: ['WebFetch(https://evil.example)'] })
    expect(scheme('curl https://evil.example')).toBe('deny')
    expect(scheme('git clone ssh://git@evil.example/a')).toBe('allow')
    expect(scheme('curl evil.example')).toBe('ask')
  })
})

const wrapped = fc.constantFrom<(line: string) => string>(
  (line) => line,
  (line) => `ls; ${line}`,
  (line) => `cd src && ${line}`,
  (line) => `(${line})`,
  (line) => `{ ${line}; }`,
  (line) => `if true; then ${line}; fi`,
  (line) => `true | ${line}`,
  (line) => `echo "$(${line})"`,
  (line) => `for i in 1 2; do ${line}; done`,
)
const spelled = fc.constantFrom('evil.example', 'EVIL.Example', 'a.b.evil.example', 'evil.example.')

describe('property: a host in any place', () => {
  it('is denied or asked about, however it is spelled and wherever the command stands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), spelled, wrapped, (place, host, wrap) => {
        const line = wrap(at(place, host))
        expect(denied(line), line).toBe('deny')
        expect(asked(line), line).toBe('ask')
        expect(everyDenied(line), line).toBe('deny')
      }),
      { numRuns: 150 * RUNS },
    )
  })

  it('P5: that is known only when the line runs is asked about and never denied', () => {
    const later = fc.constantFrom('$H', '"$H"', '$(cat h)', '`cat h`', '"$H.example"')
    fc.assert(
      fc.property(
        fc.constantFrom(...PLACES.filter((place) => !/'[^']*HOST|"[^"]*HOST/.test(place))),
        later,
        (place, host) => {
          const line = at(place, host)
          expect(denied(line), line).toBe('ask')
          expect(asked(line), line).toBe('ask')
        },
      ),
      { numRuns: 150 * RUNS },
    )
  })

  it('P5: a deny more never makes a verdict laxer', () => {
    const rank = { allow: 0, ask: 1, deny: 2 }
    fc.assert(
      fc.property(fc.constantFrom(...PLACES, ...UNTOLD, ...QUIET, ...BY_THEMSELVES), (place) => {
        const line = at(place, 'evil.example')
        expect(rank[anyDenied(line)]).toBeGreaterThanOrEqual(rank[anyAsked(line)] === 1 ? 1 : 0)
        expect(rank[everyDenied(line)]).toBeGreaterThanOrEqual(rank[denied(line)] === 0 ? 0 : 1)
      }),
      { numRuns: 150 * RUNS },
    )
  })
})

describe('the kind network', () => {
  it('is every command that reaches another machine, in whatever spelling', () => {
    for (const line of [
      'curl good.example',
      '/usr/bin/curl good.example',
      "bash -c 'curl good.example'",
      'sudo curl good.example',
      'echo x | xargs curl good.example',
      'find . -name x -exec wget good.example \\;',
      'cat < /dev/tcp/good.example/80',
      '$X good.example',
      'git push https://good.example/a',
      'env -i curl good.example',
      'timeout 5 curl good.example',
      'command curl good.example',
      'c""url good.example',
    ]) {
      expect(anyAsked(line), line).toBe('ask')
    }
  })

  it('is not this machine, of which a rule about a host may still speak', () => {
    for (const line of [
      'curl localhost:3000',
      'curl http://127.0.0.1/x',
      'psql -h 127.1',
      'redis-cli -h ::1',
      'nslookup localhost',
    ]) {
      expect(anyAsked(line), line).toBe('allow')
      expect(anyDenied(line), line).toBe('allow')
      expect(everyDenied(line), line).toBe('deny')
    }
    expect(anyAsked('curl -x http://proxy.example localhost:3000')).toBe('ask')
    expect(judge({ deny: ['WebFetch(localhost)'] })('curl localhost:3000')).toBe('deny')
  })

  it('still means tools of the kind', () => {
    const policy = compilePolicy({
      mode: 'bypass',
      rules: [{ name: 'n', when: { kind: 'network' }, then: 'deny' }],
    })
    expect(policy.evaluate({ tool: 'WebFetch', arguments: { url: 'http://localhost' } }).kind).toBe('deny')
    expect(policy.evaluate({ tool: 'WebSearch', arguments: {} }).kind).toBe('deny')
    expect(policy.evaluate({ tool: 'Read', arguments: { file_path: 'a' } }).kind).toBe('allow')
  })
})

describe('three values', () => {
  it('P5: no allow of a host or of the kind lets a command through that reaches more, or what is not known', () => {
    const kind = when({ kind: 'network' }, 'allow')
    const host = when({ tool: 'Bash', host: 'good.example' }, 'allow')
    const entry = judge({ mode: 'default', allow: ['WebFetch(domain:good.example)', 'WebFetch(*)'] })
    for (const line of [...PLACES, ...UNTOLD].map((place) => at(place, 'evil.example'))) {
      expect(kind(line), line).toBe('ask')
      expect(host(line), line).toBe('ask')
      expect(entry(line), line).toBe('ask')
    }
    expect(host('curl https://good.example/a')).toBe('allow')
    expect(host('curl https://good.example "$X"')).toBe('ask')
    expect(host('npm install https://good.example/a.tgz')).toBe('ask')
    expect(host('ls')).toBe('ask')
    expect(entry('curl https://good.example')).toBe('ask')
    const notNetwork = when({ tool: 'Bash', not: { kind: 'network' } }, 'allow')
    expect(notNetwork('ls')).toBe('allow')
    expect(notNetwork('curl good.example')).toBe('ask')
    expect(notNetwork('ls; curl good.example')).toBe('ask')
    expect(notNetwork('npm install')).toBe('ask')
    expect(notNetwork('curl "$X"')).toBe('ask')
  })

  it('not, all and any keep what is unknown', () => {
    const others = when({ kind: 'network', not: { host: 'good.example' } }, 'deny')
    expect(others('curl good.example')).toBe('allow')
    expect(others('curl evil.example')).toBe('deny')
    expect(others('curl good.example evil.example')).toBe('deny')
    expect(others('curl "$X"')).toBe('ask')
    expect(others('npm install')).toBe('ask')
    expect(others('ls')).toBe('allow')
    const some = when({ any: [{ host: 'evil.example' }, { command: 'rm *' }] }, 'deny')
    expect(some('curl evil.example')).toBe('deny')
    expect(some('rm x')).toBe('deny')
    expect(some('curl "$X"')).toBe('ask')
    expect(some('npm install')).toBe('allow')
    const both = when({ all: [{ host: 'evil.example' }, { command: 'curl *' }] }, 'deny')
    expect(both('curl evil.example')).toBe('deny')
    expect(both('wget evil.example')).toBe('allow')
    const offline = when({ tool: 'Bash', not: { kind: 'network' } }, 'deny')
    expect(offline('ls')).toBe('deny')
    expect(offline('curl evil.example')).toBe('allow')
    expect(offline('curl "$X"')).toBe('ask')
  })
})

describe('hostile lines', () => {
  it('P5: addresses that look like another are taken for what they lead to', () => {
    for (const line of [
      'curl https://good.example@evil.example',
      'curl https://good.example:x@evil.example/good.example',
      'curl EVIL.EXAMPLE.:443',
      'curl https://evil.example#@good.example',
      'curl https://evil.example?@good.example',
      'curl https://evil%2eexample',
      'curl {good,evil}.example',
      "curl 'https://{good,evil}.example/x'",
      'curl https://e""vil.example',
    ]) {
      expect(denied(line), line).toBe('deny')
    }
    const address = judge({ deny: ['WebFetch(169.254.169.254)'] })
    for (const host of [
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '0251.0376.0251.0376',
      '[::ffff:a9fe:a9fe]',
    ]) {
      expect(address(`curl http://${host}/latest`), host).toBe('deny')
      if (!host.startsWith('[')) expect(address(`ping ${host}`), host).toBe('deny')
    }
    const idn = judge({ deny: ['WebFetch(domain:bücher.example)'] })
    expect(idn('curl bücher.example')).toBe('deny')
    expect(idn('curl xn--bcher-kva.example')).toBe('deny')
  })

  it('P5: what is too much is asked about', () => {
    const many = Array.from({ length: 2000 }, (_, n) => `h${n}.example`).join(' ')
    expect(denied(`curl ${many}`)).toBe('ask')
    expect(denied(`curl evil.example ${many}`)).toBe('deny')
    expect(denied(`curl https://good.example/${'a'.repeat(50_000)}`)).toBe('allow')
    expect(denied(`curl ${'a'.repeat(50_000)}`)).toBe('ask')
    expect(denied(`curl ${'{a,b}'.repeat(30)}.example`)).toBe('ask')
    expect(denied(`curl '${'{a,b}'.repeat(3000)}.example'`)).toBe('ask')
    expect(denied(`git ${'-C a '.repeat(3000)} fetch`)).toBe('ask')
  })

  it('property: any words are judged, and never end in a failure', () => {
    const word = fc.oneof(
      fc.constantFrom(
        '--',
        '-x',
        '--url',
        '-o',
        '@',
        ':',
        '::',
        '[',
        '{',
        'evil.example',
        'http://',
        'a@b:c',
        '-',
      ),
      fc.string({ maxLength: 12 }).map((text) => `'${text.replaceAll("'", '')}'`),
    )
    const program = fc.constantFrom(...PLACES.map((place) => place.split(' ')[0] ?? ''))
    fc.assert(
      fc.property(program, fc.array(word, { maxLength: 8 }), (name, words) => {
        const policy = compilePolicy({ mode: 'bypass', deny: ['WebFetch(domain:evil.example)'] })
        const verdict = policy.evaluate({ tool: 'Bash', arguments: { command: [name, ...words].join(' ') } })
        expect(verdict.rule).not.toBe('built-in: unreadable call')
      }),
      { numRuns: 300 * RUNS },
    )
  })
})

describe('what people are told', () => {
  const explain = (block: PolicyBlock, command: string, facts?: Facts) =>
    compilePolicy({ mode: 'bypass', ...block }).explain(
      { tool: 'Bash', arguments: { command }, cwd: '/space' },
      facts,
    )

  it('names the host and where it was found', () => {
    const deny: PolicyBlock = { deny: ['WebFetch(domain:evil.example)'] }
    expect(explain(deny, 'curl -s evil.example/x').verdict.because).toBe('Denied: it reaches evil.example.')
    const hosts = {
      [JSON.stringify(['git', '', 'origin', true])]: { sure: ['https://evil.example'], possible: [] },
    }
    const pushed = explain(deny, 'git push origin', { hosts })
    expect(pushed.verdict.because).toContain('it reaches evil.example (remote origin)')
    expect(pushed.commands?.[0]?.because).toBe('it reaches evil.example (remote origin)')
    expect(explain(deny, 'curl "$X"').commands?.[0]?.because).toBe(
      'which host it reaches is only known when the line runs',
    )
    const ask: PolicyBlock = { rules: [{ name: 'network', when: { kind: 'network' }, then: 'ask' }] }
    expect(explain(ask, 'npm install').verdict.because).toContain('it may reach npmjs.org (by default)')
    expect(explain(ask, 'curl good.example').verdict.because).toBe('Needs approval: it reaches good.example.')
  })
})
