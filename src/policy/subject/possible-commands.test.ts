import { describe, expect, it } from 'vitest'
import { compilePolicy, type PolicyBlock } from '../index.ts'

const judge = (block: PolicyBlock) => {
  const policy = compilePolicy(block, { roots: ['/space'], home: '/home/ana' })
  return (command: string) => policy.evaluate({ tool: 'Bash', arguments: { command }, cwd: '/space' }).kind
}
const bypassing = (block: PolicyBlock) => judge({ mode: 'bypass', ...block })
const linesOf = (text: string) => text.trim().split('\n')

const denied = bypassing({ deny: ['Bash(rm -rf *)'] })

describe('P5: a deny or an ask of a command, where another program may run it', () => {
  it.each(
    linesOf(`
npm exec -- rm -rf x
npx rm -rf x
pnpm exec rm -fr x
pnpm -r exec rm --recursive --force x
yarn exec rm -rf x
yarn exec 'rm -rf x'
bundle exec /bin/rm -rf x
poetry run rm x -rf
uv run --with y rm -rf x
uv run -- rm -rf x
pipenv run rm -rf x
conda run -n y rm -rf x
docker run -v /:/h alpine rm -rf /h
docker run alpine sh -c 'rm -rf /h'
docker exec web rm -rf y
docker compose exec web rm -rf y
docker compose -f y run web rm -rf y
kubectl exec pod -- rm -rf x
nix-shell --run 'rm -rf x'
nix develop -c rm -rf x
mise exec -- rm -rf x
concurrently 'ls; rm -rf x'
nodemon --exec 'rm -rf x'
ssh-agent rm -rf x
tsocks rm -rf x
choom -n 1 -- rm -rf x
gtimeout 5 rm -rf x
coreutils rm -rf x
coreutils --coreutils-prog=rm -rf x
unheard-of --run='rm -rf x'
./run.sh rm -rf x
git config alias.z '!rm -rf x'
RM -rf x
Rm.exe -rf x
grm -rf x
git -c alias.z='!rm -rf x' z
git -c core.editor='rm -rf x' commit
EDITOR="rm -rf $X" git commit
BASH_ENV=y bash -c ls
PS4='$(rm -rf x)' bash -xc ls
declare 'a[$(rm -rf x)]=1'
make SHELL='rm -rf x'
make -f - <<< 'all: ; rm -rf x'
ed <<< '!rm -rf x'`),
  )('has a person asked for %s', (line) => {
    expect(denied(line)).toBe('ask')
    expect(bypassing({ ask: ['Bash(rm -rf *)'] })(line)).toBe('ask')
    expect(bypassing({ rules: [{ name: 'r', when: { command: 'rm -rf *' }, then: 'deny' }] })(line)).toBe(
      'ask',
    )
  })

  it.each(
    linesOf(`
git bisect run rm -rf x
git submodule foreach 'rm -rf x'
git submodule foreach --recursive rm -rf x
npx -c 'rm -rf x'
npm exec --call='rm -rf x'
EDITOR='rm -rf x' git commit
GIT_SEQUENCE_EDITOR='rm -rf x' git rebase -i main
PAGER='rm -rf x' git log
LESSOPEN='|rm -rf x' less y
export VISUAL='rm -rf x'
export "EDITOR=rm -rf x"
env EDITOR='rm -rf x' git commit
sudo EDITOR='rm -rf x' visudo`),
  )('denies %s, which runs it for certain', (line) => {
    expect(denied(line)).toBe('deny')
  })

  it.each(
    linesOf(`
GIT_EDITOR=true git rebase --continue
PAGER=cat git log
export EDITOR=vim
make -j4 test
make -f Makefile.dev all
PS1='$ ' bash -c ls
uv run pytest -q
npx prettier --write src
docker run --rm -v ./x:/x node npm test
docker exec web rm x
docker exec web ls -rf
unheard-of --form rm
./gradlew build
npm install rm
pip install rm
git config user.name rm
git commit -m 'rm -rf x'
grep 'rm -rf x' y
echo rm -rf x
man rm`),
  )('does not mind %s', (line) => {
    expect(denied(line)).toBe('allow')
  })

  it('does not count for an allow: the whole command is what is allowed', () => {
    const allowed = judge({
      allow: ['Bash(uv run pytest *)', 'Bash(docker exec web *)', 'Bash(unheard-of *)'],
    })
    expect(allowed('uv run pytest -q')).toBe('allow')
    expect(allowed('docker exec web rm -rf x')).toBe('allow')
    expect(allowed('unheard-of rm -rf x')).toBe('allow')
  })

  it('has a person asked where there are more of them than are looked at', () => {
    expect(denied(`unheard-of ${'rm y '.repeat(40)}-rf x`)).toBe('ask')
    expect(denied(`unheard-of '${'echo rm; '.repeat(1000)}'`)).toBe('ask')
    expect(denied(`unheard-of ${'y '.repeat(400)}rm -rf x`)).toBe('ask')
    expect(denied(`unheard-of rm ${'y '.repeat(400)}-rf x`)).toBe('ask')
  })
})
