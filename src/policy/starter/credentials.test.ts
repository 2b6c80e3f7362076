import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../core/session.ts'
import { compilePolicy } from '../compile-policy.ts'
import { lexicalFacts } from '../subject/lexical-facts.ts'

const home = '/home/ana'
const cwd = `${home}/project`
const policy = compilePolicy({ extends: 'banksman:starter' }, { roots: [cwd], home })

function verdict(command: string, mode: Mode = 'default') {
  const call = { tool: 'Bash', arguments: { command }, cwd }
  return policy.evaluate(call, lexicalFacts(policy, call, { home, at: 0 }), { mode })
}

/** What prints passwords, keys, tokens, or an environment that holds them. `<a|b|>` is one of these, or nothing. */
const PRINTING = `
gh config get <|-h github.com|--host github.com|--host=github.com> <oauth_token|token|user|users> <|-h github.com>
gh auth token <|-h github.com>
gh auth status <--show-token|-t|--show-token --active>
git <|-P|--no-pager> config <|--global|--local|--system> <http.extraheader|http.proxy|https.proxy|credential.username|HTTP.ExtraHeader|hub.oauthtoken>
git <|-P|--no-pager> config <|--global|--local> <--get|--get-all> <|--show-origin|-z> <http.extraheader|credential.helper|github.token|sendemail.smtppass|imap.pass|http.cookieFile|branch.x.remote.token>
git config get <|--all|--show-origin|--global> <http.extraheader|url.x.insteadof|core.sshCommand|core.askPass>
git config <--list|-l> <|--local|--worktree|--show-origin|--show-scope|-z|--global> <|--local|--show-scope>
git config <--local|--worktree|--show-origin> <--list|-l|--list -z>
git config list <|--local|--worktree|--show-scope|--local --show-origin>
git config <--get-regexp|--get-urlmatch|--get-color> .
git credential <fill|approve|capability>
git credential-<store|cache> get
docker <|container|image|service|volume> inspect <|--size|-s|--type=container|--type container> web <|db|--size>
docker <|container> inspect <-f |--format |--format=><'{{json .}}'|'{{.}}'|'{{.Config.Env}}'|'{{json .Config}}'|'{{index .Config "Env"}}'> web
docker inspect web <-f |--format |--format=><'{{with .Config}}{{.Env}}{{end}}'|'{{$.Config.Env}}'|'{{(.Config).Env}}'|'{{.Args}}'|'{{json .HostConfig}}'>
docker inspect <-f |--format=><'{{range .Config.Env}}{{println .}}{{end}}'|'{{range $k, $v := .Config}}{{$v}}{{end}}'|json|'{{.Name}}{{json .}}'|'{{.State}}{{ .Config.Env }}'|'{{- .Config.Env -}}'|'{{slice .}}'|'{{html .Config.Env}}'> web
docker inspect -f '{{.Name}}' <-f|--format> '{{json .}}' web
docker image inspect <-f |--format=><'{{.ContainerConfig.Env}}'|'{{json .Config}}'|'{{.Config.Env}}'> alpine
docker volume inspect --format <'{{.Options}}'|'{{json .}}'> data
docker <history|image history> <|--no-trunc|-H=false|--format '{{.CreatedBy}}'|--format=json> alpine
docker compose config <|--format=json|--environment|--no-interpolate>
docker swarm join-token <worker|manager> <|-q|--quiet>
docker <config|secret|plugin|context> inspect x
podman <|container|image> inspect <|--size|--format '{{.Config.Env}}'|-f '{{json .}}'> web
podman <history|image history> <|--no-trunc> alpine
kubectl <|-n prod|--namespace=prod> get <secret|secrets|secret/x|pods,secrets> <|-o yaml|-o json|--output=yaml|x>
kubectl <|-n prod> get <pods|pod|po|deploy|deployments|sts|ds|jobs|cj|rs|rc|all|cm|configmaps|deploy,svc> <-o yaml|-oyaml|-o json|-ojson|--output=yaml|--output json> <|-A>
kubectl get <-o yaml|--output=json> <pod|cm|all> x
kubectl get pods -o <'jsonpath={..env}'|go-template={{.}}|custom-columns=E:.spec>
kubectl <|-n prod> describe <pod|pods|po|deploy|cm|configmap|job|sts|ds|all|secret|secrets> <|x|-A>
kubectl rollout history deploy/x <--revision=2|--revision 2>
kubectl config view <--raw|--raw=true|--flatten|--minify --raw|--raw --minify>
kubectl create token default
helm get <values|all|manifest|notes|hooks> x
helm status x <|--revision=1|-n prod|-o json>
npm <config|c> get <|--json|-g>
npm get
npm <config get|c get|get> <_authToken|_auth|_password|key|cert|otp|proxy|https-proxy|https-proxy registry|registry key|//registry.example/:_authToken|noproxy>
npm <config|c> <list|ls> <|-l|--long|--json|-g>
npm token <list|ls>
yarn config <|list|get npmAuthToken>
pnpm config <|list|get //r/:_authToken>
pip config <list|debug|get global.index-url>
poetry config <--list|http-basic.x>
go env <|-json|-changed|-json GOPROXY|GOPROXY|GOAUTH|GOFLAGS|GOPATH GOPROXY|GOPATH GOAUTH|CGO_LDFLAGS>
gcloud config <get-value|get> <proxy/password|proxy/username|auth/access_token_file|core/custom_ca_certs_file>
gcloud config list <|--format=json|--format yaml|--all>
gcloud config configurations list <--format=json|--format yaml|--format=text>
gcloud config config-helper <|--format=json>
gcloud auth <print-access-token|print-identity-token|application-default print-access-token>
aws configure <get aws_secret_access_key|export-credentials>
aws <ecr get-login-password|ecr get-login|sts get-session-token|codeartifact get-authorization-token>
aws secretsmanager get-secret-value --secret-id x
aws ssm get-parameter --with-decryption --name x
az account get-access-token <|-o tsv>
az <keyvault secret show --name x|storage account keys list|acr credential show -n x>
terraform <output|output -json|output -raw x|show|show -json|state pull|state show x>
openssl <rsa|ec|pkey|dsa> -in key.pem <|-text|-noout -text>
openssl <pkcs12 -in a.p12 -nodes|pkcs8 -in key.pem|genrsa|genpkey -algorithm RSA>
gpg <|-a|--armor> <--export-secret-keys|--export-secret-subkeys|--export-secret-key> x
gpg <-d|--decrypt|-qd> secrets.gpg
systemctl <|--no-pager|--user> cat x <|--no-pager|--user>
systemctl show <|x|x --no-pager|-p Environment x|--property=Environment x|-p ActiveState,Environment x|-pEnvironment x|x --value -p ExecStart>
systemctl show-environment <|--user|--no-pager>
crontab -l
at -c 5
env <|-0|--null|-u X|-i>
<env|printenv> | <grep TOKEN|sort|cat>
printenv <|-0|AWS_SECRET_ACCESS_KEY|GITHUB_TOKEN|PATH GITHUB_TOKEN|DATABASE_URL>
<export|declare|typeset|readonly|export -p|declare -p|typeset -p|declare -x|declare -px|declare -p TOKEN|set|history|fc -l|set -o posix; set>
ps <e|eww|auxe|axe|auxeww|axewww|aux e|ax e|-e e|f e>
ps <-E|-Ef|-eE|-AE>
ps <-o|-eo|--format|-Ao|-e -o> <environ|pid,environ|pid,ENVIRON|env|pid,cmd,environ=|args,environ:200>
ps <--format=environ|--format=pid,environ|-oenviron|-eoenviron|axo environ>
<cat|strings|xxd|head> <|-n1> /proc/<self|1|$$|$PPID>/environ
tr '\\0' '\\n' < /proc/<self|1>/environ
redis-cli <config get requirepass|CONFIG GET '*'|--raw config get requirepass>
heroku config <|-s|-a x|:get X>
vault <read|kv get|print token> secret/x
op <read op://a/b/c|item get x|item get x --reveal>
pass <show x|x|ls>
security <find-generic-password|find-internet-password> -w -s x
secret-tool lookup a b
keyctl <print|read|pipe> 5
nmcli <-s|--show-secrets> connection show x
php -i
<cat|head|base64|rg x|grep x> <.netrc|.pgpass|.git-credentials|.env>
git <show|cat-file -p> <HEAD:.env|:.env|stash:.env>
wg <show|showconf wg0>
ip <xfrm state|x s|macsec show>
docker exec web env
echo <$GITHUB_TOKEN|"$AWS_SECRET_ACCESS_KEY"|\${DB_PASSWORD}|\${!X}|"\${PATH_TOKEN}"|$PATHX|$HOMEBREW_GITHUB_API_TOKEN>
`

/** What looks like it and prints none. */
const HARMLESS = `
gh config get <|-h github.com|--host=github.com> <git_protocol|editor|prompt|pager|browser>
gh config <list|ls>
git config <user.name|user.email|core.editor|core.autocrlf|init.defaultbranch|remote.origin.url|core.hooksPath>
git <|-P> config <--get|--get-all> <user.name|user.email|branch.main.merge|pull.rebase|commit.gpgsign>
git config <|--global|--local> --get user.email
git config get <|--global> user.name
git config <--list|-l> --name-only
git config list --name-only
git remote <-v|get-url origin>
docker ps -a
docker <|container> inspect <-f |--format |--format=><'{{.State.Status}}'|'{{.State.Health.Status}}'|'{{.Name}}'|'{{json .State}}'|'{{ .RestartCount }}'> web
docker inspect <-f |--format=>'{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' web
docker inspect web --format='{{.Config.Image}}'
docker image inspect --format '{{.Id}} {{.Created}}' alpine
docker network inspect bridge
docker history -q alpine
kubectl <|-n prod> get <pods|po|deploy|svc|all|cm> <|-A|-o wide|-o name|--output=wide|-w>
kubectl get <nodes|svc|ns|ingress> <-o yaml|-o json|--output=yaml|-o wide>
kubectl describe <node|svc|ns|ingress> x
kubectl config <view|view --minify|current-context|get-contexts>
kubectl rollout history deploy/x
npm <config get|c get|get> <registry|prefix|cache|userconfig|node-version>
go env <GOPATH|GOROOT|GOOS|GOARCH|GOVERSION|GOMOD|GOPATH GOROOT|-json GOPATH>
gcloud config <get-value|get> <project|account|compute/region|core/project>
gcloud config list <project|account>
gcloud <config configurations list|auth list>
aws configure list
helm list
printenv <PATH|HOME|SHELL|LANG|PATH HOME>
ps <aux|-ef|-A|ax|auxww|-eLf>
ps <-o|-eo|-Ao|--format> <pid,ppid,cmd|pid=,args=|pid,%cpu,%mem,comm:20|user,pid|pid,ppid,stat,etime,rss>
ps --format=pid,comm -p 5
systemctl show x -p <ActiveState|MainPID>
systemctl status x --no-pager
gpg --list-secret-keys
openssl x509 -in cert.pem -noout -text
echo <$PATH|"$HOME/bin:$PATH"|"$USER at $HOSTNAME"|"\${PATH}">
`

const linesOf = (list: string) => list.trim().split('\n')

/** The line with one of the spellings in each place, alone or among others. */
function spelled(line: string): fc.Arbitrary<string> {
  const pieces = line.split(/<([^>]*[|][^>]*)>/)
  const choices = pieces.map((piece, index) =>
    index % 2 === 0 ? fc.constant(piece) : fc.constantFrom(...piece.split('|')),
  )
  return fc.tuple(...choices).map((chosen) => chosen.join('').replace(/ +/g, ' ').trim())
}

const around = fc.constantFrom(
  (line: string) => line,
  (line: string) => `ls && ${line}`,
  (line: string) => `${line} 2>/dev/null`,
  (line: string) => `(${line}) | head -5`,
  (line: string) => `timeout 5 ${line}`,
)

describe('commands that print credentials', () => {
  it.each(linesOf(PRINTING))('P5: nobody vouches for %s', (line) => {
    fc.assert(
      fc.property(spelled(line), around, (one, put) => {
        expect(verdict(put(one)).kind, put(one)).not.toBe('allow')
        expect(verdict(put(one), 'plan').kind, put(one)).not.toBe('allow')
      }),
      { numRuns: 60, ignoreEqualValues: true },
    )
  })

  it.each(linesOf(HARMLESS))('%s is still allowed', (line) => {
    fc.assert(
      fc.property(spelled(line), (one) => {
        const { kind, because } = verdict(one)
        expect(kind, `${one}: ${because}`).toBe('allow')
      }),
      { numRuns: 40, ignoreEqualValues: true },
    )
  })

  it.each([
    'gh config get oauth_token',
    'git config --get http.extraheader',
    'docker inspect web',
    'kubectl describe pod web',
    'npm config list',
    'env',
    'printenv',
    'aws ecr get-login-password',
    'gcloud auth print-access-token',
    'pass show mail',
    'systemctl show-environment',
    'export -p',
    'crontab -l',
    'ps auxe',
  ])('says so: %s', (line) => {
    expect(verdict(line).because).toContain('may print passwords, keys or tokens')
    expect(verdict(line, 'plan').because).toContain('may print passwords, keys or tokens')
  })

  /** What a program is given to read is printed as its words are. */
  const secret = fc.constantFrom(
    '$GITHUB_TOKEN',
    '"$NPM_TOKEN"',
    '${TOKEN}',
    '"a ${X:-$TOKEN} b"',
    '"$HOME$TOKEN"',
  )
  const reader = fc.constantFrom(
    'cat',
    'tr a b',
    'base64',
    'env cat',
    'head -n 5',
    'jq -R .',
    '{ cat; }',
    '(cat)',
    'if true; then cat; fi',
  )
  const given = fc
    .tuple(reader, secret, fc.constantFrom('<<<', '<<E', '<<-E'))
    .map(([program, text, by]) => (by === '<<<' ? `${program} <<< ${text}` : `${program} ${by}\n${text}\nE`))

  it('P5: nobody vouches for one that is given what a variable holds', () => {
    fc.assert(
      fc.property(given, (line) => {
        expect(verdict(line).kind, line).not.toBe('allow')
        expect(verdict(`bash -c '${line}'`).kind, line).not.toBe('allow')
      }),
    )
    expect(verdict('select x in $TOKEN; do echo; done').kind).not.toBe('allow')
    expect(verdict('cat <<< "$(cat <<< $TOKEN)"').kind).not.toBe('allow')
  })

  it.each([
    'cat <<< hello',
    'cat <<< "$HOME/x"',
    'cat <<E\nin ${PWD}\nE',
    "cat <<'E'\n$TOKEN\nE",
    'wc -l <<< "$(git status)"',
  ])('what is known anyway may still be given: %s', (line) => {
    expect(verdict(line).kind).toBe('allow')
  })
})
