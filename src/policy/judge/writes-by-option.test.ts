import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { quoteWord } from '../../core/support/quote-word.ts'
import { compilePolicy, lexicalFacts, type PolicyBlock } from '../index.ts'
import { knownPrograms, optionTableOf } from '../known-programs.ts'
import type { ProgramOptions } from '../starter/profile.ts'

const places = { roots: ['/space'], home: '/home/ana' }

function verdict(block: PolicyBlock, command: string) {
  const policy = compilePolicy(block, places)
  const call = { tool: 'Bash', arguments: { command }, cwd: '/space' }
  return policy.evaluate(call, lexicalFacts(policy, call, places)).kind
}

const byName = (line: string): PolicyBlock => ({ allow: [`Bash(${line.split(' ')[0]} *)`] })
const linesOf = (text: string) => text.trim().split('\n')

describe('P5: an allow of the program does not allow what its options write, run or delete', () => {
  it.each(
    linesOf(`
find . -fprintf /etc/x a
find . -fprint x
find . -fls x
find . -delete
find . -exec id ;
sort -o x y
sort -uo x y
sort -ox y
sort --output=x y
sort --out x y
sort y -o x
sort --compress-program=id y
tee x
curl -o x u
curl -sSLo x u
curl -O u
curl -D x u
curl -c x u
curl --trace x u
curl --trace-ascii x u
curl --dump-header x u
curl --stderr x u
curl --output-dir x -O u
curl -K x
curl -w '%output{x}a' u
curl --engine x u
wget -O x u
wget -o x u
wget -P x u
wget -a x u
wget -e use_proxy=x u
wget --use-askpass=id u
git log --output=x
git diff --output x
git diff --ext-diff
git format-patch -o x HEAD
git archive -o x HEAD
git archive --output=x HEAD
git -c core.pager=id log
git -c alias.x=!id x
git -c core.hooksPath=x commit -m y
git -c core.editor=id commit
git -c gpg.program=id switch -c x
git bisect run id
git -C x bisect run id
git submodule foreach id
git submodule foreach --recursive 'id x'
git submodule foreach "$X"
npx -c id
npm exec --call=id
make SHELL=id
make -f -
make --eval=x
git --exec-path=x log
git --config-env=core.pager=X log
git grep -Oless x
git grep --open-files-in-pager=id x
git rebase -x id main
git rebase --exec=id main
git clone -u id x
git clone -c core.sshCommand=id x
git fetch --upload-pack id x
git push --receive-pack=id x
git difftool -x id
git filter-branch --tree-filter id
tar -cf x y
tar cf x y
tar -xf x
tar xf x -C y
tar -tf x --to-command=id
tar -tf x --checkpoint=1 --checkpoint-action=exec=id
tar -tf x -I id
tar -tf x --use-compress-program id
tar -tf x --rmt-command=id
tar -tf x --rsh-command=id
tar -tf x -F id
zip x y -T -TT id
zip x y --unzip-command id
zip -m x y
sed -i s/a/b/ x
sed -ni p x
sed --in-place=.bak s/a/b/ x
sed -e s/a/b/ -i x
awk -i inplace 1 x
awk -ox 1 y
gcc -o x a.c
gcc -ox a.c
gcc -wrapper id a.c
gcc -fplugin=x a.c
go build -o x
go build -toolexec id
go test -exec id
go test -exec=id
go test --coverprofile=x
go vet -vettool id
rsync -e id a b
rsync --rsh=id a b
rsync --rsync-path=id a b
rsync --log-file=x a b
rsync -a --delete a b
rsync -a --del a b
rsync --remove-source-files a b
ssh -o ProxyCommand=id h
ssh -E x h
scp -S id a h:b
scp -o ProxyCommand=id a h:b
less -o x y
less -ox y
man -P id ls
man --pager=id ls
man -H id ls
split --filter=id x
perl -i x y
yq -i .a x
yq e -i .a x
prettier --write x
eslint --fix x
eslint -o x y
biome check --write x
biome format --fix x
ruff check --fix x
ruff format x
black x
gofmt -w x
tsc --outDir x
tsc -outFile x
docker run -v /etc:/x y
docker run --mount type=bind,source=/etc,target=/x y
docker save -o x y
kubectl --kubeconfig=x get pods
kubectl get pods --kubeconfig x
helm template x --post-renderer id
helm template x --output-dir y
psql -o x
psql -o '|id'
psql -L x
psql -c '\\! id'
mysql --pager=id
mysql --tee=x
redis-cli --rdb x
dd if=x of=y
shuf -o x y
patch -o x y
openssl req -new -out x
gpg -o x -d y
rustc -o x a.rs
javac -d x A.java
pip install --target x y
npm pack --pack-destination x
terraform plan -out=x
aws s3 sync a b --delete
tcpdump -z id -w x
restic --password-command=id backup
borg --rsh id list
aria2c -o x u
aria2c --on-download-error=id u
yt-dlp --exec id u
script -c true x
env -S 'id'
time -o x id
strace -o x id`),
  )('%s', (line) => {
    const block = byName(line)
    expect(verdict(block, line.replace(' ;', ' \\;'))).toBe('ask')
  })

  it.each(
    linesOf(`
find . -name x
sort -u y
curl u
curl -o - u
curl -o /dev/null -w '%{http_code}' u
curl -X POST -d a=b u
wget -q -O - u
git log --oneline
git -c user.name=x -c user.email=y commit -m z
git -c color.ui=always diff
git push -u origin main
git rebase main
git clone u
git bisect start
git shortlog -c
git help -c
git submodule update
git submodule status
make -f x y
tar -tf x
tar tzf x
zip -r x y
sed -n 1,5p x
sed s/a/b/ x
gcc -c a.c
go build ./...
go test -run x ./...
rsync -a a b
scp -o ConnectTimeout=5 a h:b
man ls
split -l 5 x
yq .a x
prettier --check x
eslint x
biome check x
ruff check x
ruff format --check x
black --check x
gofmt -l x
tsc --noEmit
docker run -v ./x:/x y
docker run -v data:/x y
docker run -v /etc:/x:ro y
kubectl get pods -n x
psql -c 'select 1'
dd if=x
pip install x
npm install
terraform plan
aws s3 sync a b`),
  )('ordinary use of a program that is allowed stays allowed: %s', (line) => {
    expect(verdict(byName(line), line)).toBe('allow')
  })

  it('what is run is judged as a command of its own', () => {
    const allow = ['Bash(tar *)', 'Bash(cat *)']
    expect(verdict({ allow }, 'tar -xOf x --to-command=cat')).toBe('ask')
    expect(verdict({ allow: [...allow, 'Edit(./**)'] }, 'tar -xf x --to-command=cat')).toBe('allow')
    expect(verdict({ allow: [...allow, 'Edit(./**)'] }, 'tar -xf x --to-command=id')).toBe('ask')
    expect(verdict({ allow: [...allow, 'Edit(./**)'] }, 'tar -xf x --to-command="$C"')).toBe('ask')
    const deny = { mode: 'bypass', deny: ['Bash(rm *)'] } as const
    expect(verdict({ ...deny, deny: [...deny.deny] }, "tar -xf x --to-command='rm -r y'")).toBe('deny')
    expect(verdict({ ...deny, deny: [...deny.deny] }, "git rebase -x 'rm y' main")).toBe('deny')
    expect(verdict({ ...deny, deny: [...deny.deny] }, "psql -o '|rm y'")).toBe('deny')
  })

  it.each([
    'sort --out="$X" y',
    'sort "--output=$X" y',
    'sort "-o$X" y',
    'sort --o"utput=$X" y',
    'tar -tf x --to-com="$X"',
    'git log "--outp=$X"',
    'for f in --output=/etc/x; do sort "$f" y; done',
    'for f in -o; do sort $f y z; done',
    'while read f; do sort "$f"; done < y',
    'sort *',
    'sort $(ls)',
    'sort "-$x" y',
    'tar t"$x" y',
    'for f in -c; do git "$f" core.pager=id log; done',
  ])('a word that is known only when the line runs may be such an option: %s', (line) => {
    expect(
      verdict({ allow: ['Bash(sort *)', 'Bash(tar *)', 'Bash(git *)', 'Bash(ls *)', 'Bash(read *)'] }, line),
    ).toBe('ask')
  })

  it.each([
    'for f in *.txt; do sort -- "$f"; done',
    'for f in *.txt; do sort "./$f"; done',
    'sort "$HOME/x"',
    'sort "$FILE"',
    'sort "src/$f"',
    'sort <(ls)',
    'sort src/*.txt',
    'git push origin "$BRANCH"',
    'git add "$f"',
    'git commit -m "$m"',
    'git diff "$(git merge-base main HEAD)"',
    'curl "https://good.example/$id"',
  ])('which this can not be: %s', (line) => {
    expect(verdict({ allow: ['Bash(sort *)', 'Bash(git *)', 'Bash(curl *)', 'Bash(ls *)'] }, line)).toBe(
      'allow',
    )
  })

  it('an option of the program keeps its meaning before every sub-command that has one of the same letter', () => {
    const subs = Object.keys(knownPrograms().get('git')?.options?.commands ?? {}).flatMap((words) =>
      words.split(' '),
    )
    expect(subs.length).toBeGreaterThan(40)
    for (const sub of subs) {
      const block: PolicyBlock = { allow: ['Bash(git *)', 'Edit(/**)'] }
      expect(verdict(block, `git -c core.sshCommand=id ${sub}`), sub).toBe('ask')
      expect(verdict(block, `git -c user.name=x ${sub}`), sub).toBe('allow')
    }
  })

  it('a file may be written where an edit is allowed, or the mode accepts it', () => {
    const allow = ['Bash(*)', 'Edit(./src/**)']
    for (const line of ['sort -o src/x y', 'sed -i s/a/b/ src/x', 'prettier --write src', 'tar -xf a -C src'])
      expect(verdict({ allow }, line), line).toBe('allow')
    for (const line of ['sort -o x y', 'sort -o src/../x y', 'sed -i s/a/b/ src/x y', 'tar -xf a'])
      expect(verdict({ allow }, line), line).toBe('ask')
    const accepting: PolicyBlock = { mode: 'acceptEdits', allow: ['Bash(*)'] }
    expect(verdict(accepting, 'sort -o x y')).toBe('allow')
    expect(verdict(accepting, 'sed -i s/a/b/ x')).toBe('allow')
    expect(verdict(accepting, 'sort -o /etc/x y')).toBe('ask')
    expect(verdict(accepting, 'sort -o "$X" y')).toBe('ask')
    expect(verdict(accepting, 'sort -o /proc/self/cwd/x y')).toBe('ask')
  })

  it('an allow that says the option and its file word for word is enough', () => {
    expect(verdict({ allow: ['Bash(sort -o x *)'] }, 'sort -o x y')).toBe('allow')
    expect(verdict({ allow: ['Bash(sort --output=x y)'] }, 'sort --output=x y')).toBe('allow')
    expect(verdict({ allow: ['Bash(tee x)'] }, 'tee x')).toBe('allow')
    expect(verdict({ allow: ['Bash(rsync -a --delete *)'] }, 'rsync -a --delete a b')).toBe('allow')
    expect(verdict({ allow: ['Bash(black .)'] }, 'black .')).toBe('allow')
    expect(verdict({ allow: ['Bash(sort -o *)'] }, 'sort -o x y')).toBe('ask')
    expect(verdict({ allow: ['Bash(sort -o x *)'] }, 'sort -o x -o z y')).toBe('ask')
    expect(verdict({ allow: ['Bash(rsync -a *)'] }, 'rsync -a --delete a b')).toBe('ask')
  })

  it('a deny of a path finds what options write, glued to letters too', () => {
    const block: PolicyBlock = { mode: 'bypass', deny: ['Edit(/etc/**)'] }
    for (const line of [
      'sort -o /etc/x y',
      'sort -uo/etc/x y',
      'curl -so/etc/x u',
      'curl --output-dir /etc -O u',
      'find . -fls /etc/x',
      'tar -xf a -C/etc',
      'docker run -v/etc:/x y',
      'gcc -o/etc/x a.c',
    ])
      expect(verdict(block, line), line).toBe('deny')
    expect(verdict(block, 'sort -o "$X" y')).toBe('ask')
    expect(verdict(block, 'sort -o x y')).toBe('allow')
  })

  it('property: every option that is known to write does, in every spelling', () => {
    const written = [...knownPrograms()].flatMap(([program, { options }]) =>
      options === undefined ? [] : writersIn([program], options),
    )
    expect(written.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(fc.constantFrom(...written), fc.boolean(), ({ path, name, takes }, isGlued) => {
        const own = isGlued ? [glue(name)] : [name, '/etc/x']
        const line = [...path, ...(takes === 'value' ? own : [name]), 'y'].map(quoteWord).join(' ')
        expect(verdict({ allow: [`Bash(${path[0]} *)`] }, line), line).toBe('ask')
        if (takes === 'value')
          expect(verdict({ mode: 'bypass', deny: ['Edit(/etc/**)'] }, line), line).toBe('deny')
      }),
      { numRuns: runs(400) },
    )
  })
})

function glue(name: string): string {
  return name.startsWith('--') || name.length > 2 ? `${name}=/etc/x` : `${name}/etc/x`
}

function writersIn(path: string[], of: ProgramOptions): { path: string[]; name: string; takes: string }[] {
  const table = path.slice(1).reduce((inner, word) => inner.command(word) ?? inner, optionTableOf(path[0]))
  const own = (of.writes ?? '').split(' ').flatMap((name) =>
    (table.find(name)?.names ?? []).map((each) => ({
      path,
      name: each,
      takes: table.find(each)?.takes ?? '',
    })),
  )
  const inner = Object.entries(of.commands ?? {}).flatMap(([words, options]) =>
    writersIn([...path, words.split(' ')[0] ?? ''], options),
  )
  return [...own, ...inner]
}
