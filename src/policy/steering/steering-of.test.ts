import { describe, expect, it } from 'vitest'
import { compilePolicy, lexicalFacts } from '../index.ts'
import type { JudgedCall } from '../policy.ts'

const roots = ['/space']
const home = '/home/ana'
const edit = (file_path: string): JudgedCall => ({ tool: 'Write', arguments: { file_path }, cwd: '/space' })
const bash = (command: string): JudgedCall => ({ tool: 'Bash', arguments: { command }, cwd: '/space' })

describe('what a call may write', () => {
  const writes = (call: JudgedCall) => {
    const policy = compilePolicy({ extends: 'banksman:starter' }, { roots, home })
    return policy.steering(call, lexicalFacts(policy, call, { home })).writes
  }

  it.each([
    'tar xf a.tar',
    'tar -xzf a.tgz -C sub',
    'tar --extract -f a.tar',
    'bsdtar xf a.tar',
    'unzip a.zip',
    '7z x a.7z',
    'cpio -i < a.cpio',
    'git checkout main',
    'git switch x',
    'git pull',
    'git clone https://example.com/x',
    'git apply a.patch',
    'git am a.patch',
    'git stash pop',
    'git merge x',
    'git reset --hard x',
    'git -c core.x=y add .',
    'git worktree add ../x',
    'gh pr checkout 3',
    'gh repo clone x/y',
    'npm install',
    'npm ci',
    'yarn',
    'yarn add x',
    'pnpm i',
    'pip install x',
    'python3 -m pip install x',
    'uv sync',
    'bundle install',
    'composer install',
    'cargo install x',
    'npx degit x/y',
    'rsync -a evil/ .',
    'cp -r evil/. .',
    'cp evil/* .',
    'cp "$X" .',
    'patch -p1 < a.patch',
    'nobody-knows-it',
    'wget -r https://example.com',
    'curl -OJ https://example.com/x',
    'echo x > $FILE',
    'python3 -u -m pip install x',
    'python3 -Im tarfile -e a.tar',
    'python3 -mpip install x',
    'npm --loglevel info install',
    'npm --prefix test install',
    'npm -w run install x',
    'pnpm -w add x',
    'pnpm -C test i',
    'npm audit fix',
    'cargo --color never install x',
    'ed a.txt',
    'sqlite3 a.db',
    'sqlite3 a.db .read\\ x',
    `sqlite3 a.db "select writefile('HEAD', 'x')"`,
    'split -a 2 a.txt HE',
    'curl --remote-name-all https://example.com/HEAD',
    'curl -O "https://example.com/[G-I]EAD"',
    'curl -w "%output{HEAD}x" https://example.com',
    'wget --trust-server-names https://example.com/x',
    'gunzip -N a.gz',
    'gunzip -S .txt HEAD.txt',
    `sed -i'HE*' s/a/b/ AD`,
    `yq -s '"HEAD"' a.yml`,
    'git checkout -b x origin/main',
    'gh repo create x --clone',
    'gh issue develop 1 --checkout',
    'gh pr merge 1 -d',
    'gh -R a/b pr checkout 1',
    'docker build -o . .',
    'helm template x --output-dir .',
    'dotnet new console',
    'gradle wrapper',
    'mvn archetype:generate',
    'npx sv create x',
    'npx husky init',
    'pre-commit install',
  ])('%s: anything', (command) => {
    expect(writes(bash(command))).toEqual(
      expect.arrayContaining(['git', 'npm', 'bare git repository', 'python']),
    )
  })

  it.each([
    'git status',
    'git add .',
    'git commit -m "fix HEAD"',
    'git push origin HEAD',
    'npm test',
    'npm run build',
    'yarn build',
    'make',
    'pytest -q',
    'go test ./...',
    'cargo test',
    'npx vitest run',
    './gradlew test',
    'python3 scripts/x.py',
    'cp a.ts src/b.ts',
    'mv a.ts b.ts',
    'mkdir -p src/x',
    'touch src/a.ts',
    'sed -i s/a/b/ src/a.ts',
    'echo x > src/a.ts',
    'rm src/a.ts',
    'tar cf a.tar src',
    'ls -la | grep x',
    'curl -o page.html https://example.com',
    'cat a > /dev/null',
    'npm --prefix web test',
    'npm -w web test',
    'npm --silent run build',
    'npm audit',
    'pnpm --filter web test',
    'pnpm -r build',
    'yarn --cwd web test',
    'uv --project x run pytest',
    'poetry -C x run pytest',
    'cargo +nightly test',
    'cargo --manifest-path x/Cargo.toml test',
    'go -C x test ./...',
    'gh -R a/b pr comment 1 -b x',
    'docker --context x run y',
    'git checkout -b x',
    'git switch -c x',
    'bash scripts/test.sh',
    'source .venv/bin/activate',
    'pre-commit run --all-files',
    'rails db:migrate',
    'flask run',
    'alembic upgrade head',
    'ffmpeg -i a.mov b.mp4',
    'python3 -m pytest',
    `sqlite3 a.db 'insert into a values (1)'`,
  ])('%s: none of them', (command) => {
    expect(writes(bash(command))).toEqual([])
  })

  it('names the groups of what it names', () => {
    expect(writes(edit('package.json'))).toEqual(['javascript projects'])
    expect(writes(edit('HEAD'))).toEqual(['bare git repository'])
    expect(writes(bash('git config core.fsmonitor x'))).toEqual(['git', 'bare git repository'])
    expect(writes(bash('npm config set script-shell x'))).toEqual(['npm'])
    expect(writes(edit('src/a.ts'))).toEqual([])
    expect(writes(bash('go env -w GOFLAGS=-toolexec=x'))).toEqual(['go'])
    expect(writes(bash('go mod tidy'))).toEqual(['projects'])
    expect(writes(bash('rustup default x'))).toEqual(['rust'])
    expect(writes(bash('pip config set global.x y'))).toEqual(['python'])
    expect(writes(bash('kubectl config use-context x'))).toEqual(['programs in the home folder'])
    expect(writes(bash('gh config set pager x'))).toEqual(['programs in the home folder'])
    expect(writes(bash('gh auth setup-git'))).toEqual(['git', 'programs in the home folder'])
  })
})
