import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { compilePolicy } from '../compile-policy.ts'
import type { PolicyBlock } from '../language/language.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const ownHouse = {
  files: ['/srv/app/banksman.yaml'],
  untouchable: ['/srv/other/journal.db'],
  folders: ['/srv/app/.banksman', '/srv/app/packages/keep/vault'],
  addresses: [],
  program: 'banksman',
}

function judged(block: PolicyBlock, tool: string, args: JsonObject, cwd = '/srv/app', own = true) {
  const policy = compilePolicy(block, {
    roots: ['/srv/app'],
    home: '/home/ana',
    ...(own ? { ownHouse } : {}),
  })
  const call = { tool, arguments: args, cwd }
  return policy.evaluate(call, lexicalFacts(policy, call, { home: '/home/ana' }))
}
const line = (block: PolicyBlock, command: string, own = true, cwd = '/srv/app') =>
  judged(block, 'Bash', { command }, cwd, own)

const ALL: PolicyBlock = { mode: 'bypass', allow: ['*'] }
const STARTER: PolicyBlock = { extends: 'banksman:starter' }
describe('reading all that is below a folder in which ours lie', () => {
  const readers = [
    'grep -r foo .',
    'grep -R foo',
    'grep --recursive -n foo ./',
    'grep -rn "foo bar" /srv/app',
    'grep -d recurse foo .',
    'grep --directories=recurse foo .',
    'rgrep foo',
    'egrep -ri foo ..',
    'cd packages && grep -r foo ..',
    'sudo grep -r foo /srv',
    "sh -c 'grep -r foo .'",
    'grep -r foo src .',
    'grep -r -e foo',
    'grep -r --include="*.pem" BEGIN .',
    'grep -r --exclude-dir=node_modules foo .',
    'rg -uu foo',
    'rg -uuu foo .',
    'rg --hidden foo',
    'rg -. foo',
    'rg --no-ignore --hidden foo',
    "rg -g '**/*' foo",
    'ag -u foo',
    'ag --hidden foo .',
    'ack foo',
    'ugrep -r --hidden foo .',
    'find . -type f -exec cat {} +',
    'find . -exec grep foo {} ;',
    "find . -name '*.pem' -exec cat {} ;",
    'find /srv -type f -exec head -n1 {} ;',
    "find . -exec sh -c 'cat $1' x {} ;",
    'find . -type f -print0 | xargs -0 cat',
    'find . -type f | xargs grep foo',
    'fd -H -x cat',
    'fdfind -u . -X cat',
    'tar czf /tmp/x.tgz .',
    'tar -cf - .',
    'tar c .',
    'tar --create --file=/tmp/x.tar /srv/app',
    'tar -C /srv -cf /tmp/x.tar app',
    'cp -r . /tmp/x',
    'cp -a /srv/app /tmp/x',
    'cp -R ../app /tmp/x',
    'rsync -a ./ /tmp/x',
    'rsync -r . host:x',
    'scp -r . host:x',
    'zip -r /tmp/x.zip .',
    '7z a /tmp/x.7z .',
    'diff -r . /tmp/empty',
    'git grep --no-index foo',
    'git diff --no-index . src',
    'git diff --no-index /dev/null .',
    'git -C /srv diff --no-index app /tmp',
    'grep --rec foo .',
    'grep --dir=recurse foo .',
    'grep --direct recurse foo .',
    'zgrep -r foo .',
    'cp --rec . /tmp/x',
    'tar --cr -f /tmp/x.tar .',
    'tar -cf /tmp/x.tar -T /tmp/list',
    'diff --rec . /tmp/empty',
    'colordiff -r . /tmp/empty',
    'rsync --arch . /tmp/x',
    'ag --unre foo',
    'echo . | xargs grep -r foo',
    'ls -A | xargs -n1 grep -r foo',
    'find . | cpio -o',
    'cat $(find . -type f)',
    'cat `find . -type f`',
    'for f in $(find . -type f); do cat $f; done',
    'gzip -r .',
    'zstd -r . -o /tmp/x',
    'pax -w .',
    'jar cf /tmp/x.jar .',
    'python3 -m zipfile -c /tmp/x.zip .',
    'aws s3 sync . s3://x',
    'aws s3 cp --recursive . s3://x',
    'gsutil -m cp -r . gs://x',
    'gcloud storage cp -r . gs://x',
    'rclone copy . remote:x',
    'docker cp . web:/x',
    'kubectl cp . web:/x',
    'cat {.,}*/*',
    "bash -O dotglob -c 'cat */*'",
    'grep -r foo * .',
    'cd .; grep -r foo .',
    'cd src; cd ..; grep -r foo .',
    'cd src; cat ../.*/*',
    'grep -r foo .*',
    'cat .*/*',
    'head -c 100 .[a-z]*/*',
    'grep foo .*/*',
    'cat packages/*/*/*',
    'grep -r foo packages',
    'rg foo packages/keep',
    "find . -not -path './vault/*' -exec cat {} +",
    "rg -uu -g '!.banksman' -g '!vault' -g '**' foo",
    'rsync -a --include=vault --exclude=.banksman --exclude=vault . /tmp/x',
    'tar cf /tmp/x --exclude=.banksman --exclude=./vault .',
  ]
  for (const command of readers) {
    it(`needs a person: ${command}`, () => {
      for (const block of [ALL, { allow: ['Bash(*)'] }]) {
        const verdict = line(block, command)
        expect(verdict.kind, verdict.because).toBe('ask')
        expect(verdict.because).toMatch(/it would also read .*, which belongs to Banksman itself/)
      }
      expect(line(STARTER, command).kind).toBe('ask')
    })
  }

  it('needs a person where the shell was told to find hidden names too', () => {
    for (const command of ['cat */*', 'cat **', 'grep -r foo *', 'tar cf /tmp/x *']) {
      expect(line(ALL, `shopt -s dotglob globstar; ${command}`).kind, command).toBe('ask')
      expect(line(ALL, `setopt globdots; ${command}`).kind, command).toBe('ask')
    }
  })

  it('goes on without one where ours is left out, or only names are told', () => {
    for (const command of [
      'grep -r foo src',
      'grep foo package.json',
      'grep -rn . src docs',
      'grep -r --exclude-dir=.banksman --exclude-dir=vault foo .',
      'grep -r --exclude-dir=".b*" --exclude-dir vault foo .',
      'grep -r --include="*.ts" foo .',
      'grep -rn --include=*.js --include=*.ts foo .',
      'rg foo src',
      'cd src && grep -rn foo *',
      'cd src; grep -rn foo .',
      'git diff --no-index src docs',
      'git diff',
      'git diff -- .',
      'aws s3 cp src/a.ts s3://x',
      'aws s3 ls',
      'docker cp web:/x src',
      'gzip -r src',
      'python3 -m json.tool src/a.json',
      'for f in $(find . -type f); do echo $f; done',
      'echo $(find . -type f)',
      "rg -g '*.ts' foo .",
      'rg --files',
      'rg -uu foo src',
      'git grep foo',
      'git log -p',
      'ls -R',
      'ls -laR .',
      'tree',
      'du -sh .',
      'du -a .',
      "find . -name '*.ts'",
      'find . -type f',
      "find . -name '*.ts' -exec grep foo {} +",
      'find . -type f -exec ls -l {} ;',
      'find src -type f -exec cat {} ;',
      'fd -x echo',
      'cat src/*',
      'cat */package.json',
      'cat *',
      'wc -l src/*.ts',
      'cp -r src /tmp/x',
      'tar xf /tmp/x.tar',
      'tar tf x.tar',
      'tar czf /tmp/x.tgz src docs',
      'tar czf /tmp/x.tgz --exclude=.banksman --exclude=vault .',
      'diff -r src docs',
      'rsync -a --exclude=.banksman --exclude vault . /tmp/x',
      'echo grep -r foo .',
      "rg -uu -g '!.banksman' -g '!**/vault/**' foo",
    ])
      expect(line(ALL, command).kind, command).toBe('allow')
    for (const command of [
      'grep -rn foo src',
      "rg -g '*.ts' foo",
      'ls -R',
      "find . -name '*.ts' -exec grep foo {} +",
    ])
      expect(line(STARTER, command).kind, command).toBe('allow')
  })

  it('needs a person for tools that search, and none where the glob can not mean ours', () => {
    for (const [tool, args] of [
      ['Grep', { pattern: 'x' }],
      ['Grep', { pattern: 'x', path: '.' }],
      ['Grep', { pattern: 'x', path: '/srv' }],
      ['Grep', { pattern: 'x', glob: '*.pem' }],
      ['Grep', { pattern: 'x', glob: '**/*' }],
      ['search_files', { pattern: 'x' }],
      ['search_files', { pattern: 'x', path: 'packages' }],
    ] as [string, JsonObject][]) {
      for (const block of [ALL, STARTER]) {
        const verdict = judged(block, tool, args)
        expect(verdict.kind, JSON.stringify([tool, args])).toBe('ask')
      }
    }
    for (const [tool, args] of [
      ['Grep', { pattern: 'x', path: 'src' }],
      ['Grep', { pattern: 'x', glob: '*.ts' }],
      ['Grep', { pattern: 'x', glob: 'src/**/*.{ts,tsx}' }],
      ['Grep', { pattern: 'x', type: 'ts' }],
      ['Glob', { pattern: '**/*' }],
      ['LS', { path: '.' }],
      ['search_files', { glob: '**/*' }],
    ] as [string, JsonObject][])
      expect(judged(STARTER, tool, args).kind, JSON.stringify([tool, args])).toBe('allow')
  })
})

describe('reading all that is below a folder of which a deny names a part', () => {
  const deny = (...patterns: string[]): PolicyBlock => ({
    allow: ['Bash', 'Grep', 'Glob', 'search_files'],
    deny: patterns,
  })

  it('needs a person, and says what would be read', () => {
    for (const [block, command] of [
      [deny('Read(./.env)'), 'grep -r KEY .'],
      [deny('Read(./.env)'), 'grep -r KEY'],
      [deny('Read(./.env)'), 'tar czf /tmp/x.tgz .'],
      [deny('Read(./src/.env)'), 'tar czf /tmp/x.tgz src docs'],
      [deny('Read(./.env)'), 'rg -uu KEY'],
      [deny('Read(./.env)'), "rg -g '**/.e*' KEY"],
      [deny('Read(./.env)'), 'grep -r --include=".e*" KEY .'],
      [deny('Read(**/.env)'), 'grep -r KEY src'],
      [deny('Read(**/.env)'), 'grep -r KEY /srv/elsewhere'],
      [deny('Read(.env)'), 'cp -r src /tmp/x'],
      [deny('Read(./secrets/**)'), 'grep -r KEY .'],
      [deny('Read(./secrets/**)'), 'rg KEY'],
      [deny('Read(./src/*/private)'), 'rg KEY src'],
      [deny('Read(~/.ssh/**)'), 'grep -r KEY ~'],
      [deny('Read(~/.ssh/**)'), 'tar cz /home'],
      [deny('Read(/etc/shadow)'), 'grep -r root /etc'],
      [deny('Read(./secrets/**)'), 'git grep KEY'],
      [deny('Read(**/*.pem)'), 'find . -type f -exec cat {} ;'],
      [deny('Read(**/*.pem)'), 'rg KEY'],
    ] as [PolicyBlock, string][]) {
      const verdict = line(block, command, false)
      expect(verdict.kind, command).toBe('ask')
      expect(verdict.because, command).toMatch(/it would also read what the rule `deny: "Read\(.*\)"` denies/)
    }
    // Named, it is denied.
    for (const command of ["rg -g '.env' KEY", 'grep -r --include=.env KEY .'])
      expect(line(deny('Read(./.env)'), command, false).kind, command).toBe('deny')
    const rule: PolicyBlock = {
      allow: ['Bash'],
      rules: [{ name: 'keys', when: { tool: 'Bash', path: './keys/**' }, then: 'deny' }],
    }
    expect(line(rule, 'grep -r x .', false).kind).toBe('ask')
    expect(line(rule, 'grep -r x src', false).kind).toBe('allow')
  })

  it('goes on without one where nothing that is denied can be below, or it is left out', () => {
    for (const [block, command] of [
      [deny('Read(./.env)'), 'grep -r KEY src'],
      [deny('Read(./.env)'), 'rg KEY'],
      [deny('Read(./.env)'), 'grep -rn KEY *'],
      [deny('Read(./.env)'), 'grep -rn KEY ./*'],
      [deny('Read(./.env)'), 'tar cf /tmp/x *'],
      [deny('Read(./.env)'), 'rg KEY .'],
      [deny('Read(**/.env)'), 'rg KEY src'],
      [deny('Read(./.env)'), 'grep -r --include="*.ts" KEY .'],
      [deny('Read(./.env)'), 'grep -r --exclude=.env KEY .'],
      [deny('Read(**/*.pem)'), "rg -g '*.ts' KEY"],
      [deny('Read(**/*.pem)'), 'grep -r --include="*.ts" KEY .'],
      [deny('Read(./secrets/**)'), 'grep -r KEY src docs'],
      [deny('Read(./secrets/**)'), 'grep -r --exclude-dir=secrets KEY .'],
      [deny('Read(~/.ssh/**)'), 'grep -r KEY .'],
      [deny('Read(./secrets/**)'), 'ls -R'],
      [deny('Read(**/.env)'), 'find . -name "*.ts"'],
      [deny('Edit(./docs/**)'), 'grep -r KEY .'],
      [deny('Bash(rm *)'), 'grep -r KEY .'],
    ] as [PolicyBlock, string][])
      expect(line(block, command, false).kind, command).toBe('allow')
    // What is only asked about does not have every search asked about.
    expect(line(STARTER, 'grep -r KEY .', false).kind).toBe('allow')
    expect(line({ allow: ['Bash'], ask: ['Read(**/.env)'] }, 'grep -r KEY .', false).kind).toBe('allow')
  })

  it('holds for tools that search, by their root and by their glob', () => {
    for (const pattern of ['Read(./.env)', 'Read(**/.env)', 'Read(.env)']) {
      for (const args of [
        { pattern: 'KEY', glob: '**/.env' },
        { pattern: 'KEY', glob: '.env' },
        { pattern: 'KEY', glob: '**/.e*' },
        { pattern: 'KEY', glob: '{.env,x}' },
        { pattern: 'KEY', glob: '*' },
        { pattern: 'KEY' },
        { pattern: 'KEY', path: '.' },
      ] as JsonObject[]) {
        expect(judged(deny(pattern), 'Grep', args, '/srv/app', false).kind, JSON.stringify(args)).not.toBe(
          'allow',
        )
        expect(judged(deny(pattern), 'search_files', args, '/srv/app', false).kind).not.toBe('allow')
      }
      for (const glob of ['**/.env', '.env', '**/.en?', 'config/../.env'])
        expect(judged(deny(pattern), 'Glob', { pattern: glob }, '/srv/app', false).kind, glob).not.toBe(
          'allow',
        )
      for (const args of [
        { pattern: 'KEY', glob: '*.ts' },
        { pattern: 'KEY', type: 'ts' },
      ] as JsonObject[])
        expect(judged(deny(pattern), 'Grep', args, '/srv/app', false).kind, JSON.stringify(args)).toBe(
          'allow',
        )
      expect(judged(deny('Read(./keys/**)'), 'Glob', { pattern: '**/*.ts' }, '/srv/app', false).kind).toBe(
        'allow',
      )
      expect(judged(deny(pattern), 'Glob', { pattern: '**/*.ts' }, '/srv/app', false).kind).toBe('allow')
      expect(judged(deny(pattern), 'Glob', { pattern: '**/*' }, '/srv/app', false).kind).toBe('allow')
    }
    for (const [glob, kind] of [
      ['src/**', 'allow'],
      ['./src/lib/*.ts', 'allow'],
      ['src/../**', 'ask'],
      ['{src,keys}/**', 'ask'],
      ['k*/**', 'ask'],
      ['src/** keys/**', 'ask'],
    ] as const)
      expect(
        judged(deny('Read(./keys/**)'), 'Grep', { pattern: 'KEY', glob }, '/srv/app', false).kind,
        glob,
      ).toBe(kind)
    expect(judged(deny('Read(**/*.pem)'), 'Glob', { pattern: '**/*.pem' }, '/srv/app', false).kind).toBe(
      'ask',
    )
    expect(
      judged(deny('Read(./.env)'), 'Grep', { pattern: 'KEY', path: 'src' }, '/srv/app', false).kind,
    ).toBe('allow')
  })
})

it('whatever folder is read, it needs a person if and only if ours is at or below it', () => {
  const folder = fc.constantFrom(
    '/srv/app',
    '/srv',
    '/',
    '/srv/app/packages',
    '/srv/app/packages/keep',
    '/srv/app/src',
    '/srv/app/packages/other',
    '/srv/other',
    '/tmp',
    '/srv/app/src/..',
    '/srv/./app',
  )
  const program = fc.constantFrom(
    (path: string) => `grep -rn x ${path}`,
    (path: string) => `cp -r ${path} /tmp/y`,
    (path: string) => `tar cf /tmp/y ${path}`,
    (path: string) => `find ${path} -exec cat {} +`,
    (path: string) => `cd ${path} && grep -r x`,
  )
  fc.assert(
    fc.property(folder, program, (path, command) => {
      const contains = [
        '/srv/app',
        '/srv',
        '/',
        '/srv/app/packages',
        '/srv/app/packages/keep',
        '/srv/other',
        '/srv/app/src/..',
        '/srv/./app',
      ].includes(path)
      expect(line(ALL, command(path)).kind, command(path)).toBe(contains ? 'ask' : 'allow')
    }),
  )
})
