import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readShell } from '../shell/read/read-shell.ts'
import { judgeProgram } from './judge-program.ts'

const inside = (path: string) =>
  `${posix.resolve('/workspace', path.replace(/^~/, '/home/ana'))}/`.startsWith('/workspace/') ? 'yes' : 'no'

/** The strictest of what its commands come to. */
function judge(line: string, atTerminal = true): 'reads' | 'destroys' | 'unknown' {
  const { commands, doubts } = readShell(line)
  const kinds = commands
    .filter((each) => !each.transparent)
    .map((each) => judgeProgram(each, inside, undefined, atTerminal).kind)
  if (kinds.includes('destroys')) return 'destroys'
  return doubts.length === 0 && kinds.length > 0 && kinds.every((kind) => kind === 'reads')
    ? 'reads'
    : 'unknown'
}

const linesOf = (text: string) => text.trim().split('\n')

describe('what is asked of text and data', () => {
  it.each(
    linesOf(`
sed -n 1,20p a.txt
sed -n -e s/a/b/p -e 1d a.txt
awk -F: '{print $1}' a.txt
jq -r .name package.json
tar -tzf a.tgz
tar tvf a.tar
unzip -l a.zip
gzip -l a.gz
gzip -dc a.gz
xz -t a.xz
xxd -l 32 a.bin
od -c a.bin
sha256sum a.txt b.txt
readelf -h a.out
file -z a.gz
openssl x509 -in a.crt -noout -text`),
  )('reads: %s', (line) => expect(judge(line)).toBe('reads'))

  it.each(
    linesOf(`
sed -n 's/a/b/w out' a.txt
sed -i s/a/b/ a.txt
awk 'BEGIN { system("id") }'
awk '{ print }' -F /etc/passwd
jq --arg name value env a.json
tar I 'sh -c id' -tf a.tar
tar -tf a.tar I 'sh -c id'
tar -tf host:a.tar
tar tf host:a.tar
unzip a.zip
unzip -l -o a.zip
gzip a.txt
xz -t -z a.txt
bzip2 -t -d a.bz2
xxd a.bin b.txt
xxd a.bin -i
md5sum -c list
readelf -a @options
file -C -m a.txt
file -z -f names
nm @options
jar tf @options
objdump -S a.out
openssl x509 -in org.openssl.engine:dynamic:x -noout
sqlite3 -readonly
sqlite3 a.db .tables`),
  )('P5: may write, run or read elsewhere: %s', (line) => expect(judge(line)).toBe('unknown'))
})

describe('what is asked of the machine and the network', () => {
  it.each(
    linesOf(`
ps aux
ps -ef
ps -eo pid,args --sort=-rss
lsof -ti:3000
ss -tulpn
ip -br addr
df -h /
systemctl is-active nginx
systemctl --no-pager status nginx
systemctl status nginx --no-pager
journalctl --no-pager -u nginx -n 50
getent services https
docker ps --all
docker logs --tail 100 web
kubectl -n web get pods -o wide
kubectl describe node web-1
pip list
ruff check --no-fix src
systemctl kill -s help
docker tag
docker inspect
docker buildx du --builder other
cargo report future-incompatibilities --id 1 -p serde
go tool vet help printf
php -m
php --rf strlen
tmux ls
netstat -an -p tcp
python3 --version`),
  )('reads: %s', (line) => expect(judge(line)).toBe('reads'))

  it.each(
    linesOf(`
ps e
ps auxe
ps -e -x
ps -ef -T --forest
env
printenv TOKEN
lsof -i @attacker.example
ss -t dst attacker.example
ip link s eth0 down
ip netns exec x sh
systemctl
systemctl status nginx
journalctl
dmesg -H
getent shadow
getent passwd root
getent hosts attacker.example
dig attacker.example
docker compose ps
docker -H tcp://attacker.example ps
kubectl get secrets
kubectl get pods,secrets
kubectl get pods secret/x
kubectl get pods -o go-template-file=/etc/passwd
kubectl get pods --kubeconfig=x
pip config --editor sh edit
ruff check --fix
ruff check src
python3
pytest --version
bundle --version
mvn --version
systemctl kill nginx
systemctl kill -s KILL nginx
systemctl kill -s help nginx
systemctl kill -s help -s KILL
systemctl kill --signal=help -H root@attacker.example
docker tag a b
docker inspect web
docker image tag a b
cargo report timings
cargo report future-incompatibilities --config build.rustc=x
cargo --config x report future-incompatibilities
cargo +./x report future-incompatibilities
go tool vet ./...
go tool vet -vettool=x help printf
go tool x help y
php
php -i
php -m a.php
php -m -r 'x();'
php -d auto_prepend_file=a.php -m
php --ri mysqli
php --rf strlen -r 'x();'
php --rf=strlen a.php
tmux
tmux ls -F '#(id)'
tmux ls \\; new id
tmux -f a.conf ls
tmux $X
uv pip list`),
  )('P5: may show secrets, change things or run code: %s', (line) => expect(judge(line)).toBe('unknown'))

  it.each(['systemctl help nginx', 'systemctl help --user --no-pager nginx 5', 'top -u ana', 'top -Hp 5'])(
    'P5: reads where there is no terminal: %s',
    (line) => {
      expect(judge(line, false)).toBe('reads')
      expect(judge(line)).toBe('unknown')
    },
  )

  it.each([
    'systemctl help -H root@x nginx',
    'systemctl help /etc/x',
    'top',
    'top -u ana x',
    'man man',
    'less a',
  ])('P5: not even there: %s', (line) => expect(judge(line, false)).toBe('unknown'))

  it.each(
    linesOf(`
terraform destroy -auto-approve
kubectl delete namespace web
docker system prune --all --volumes
rsync -a --delete empty/ /home
gpg --delete-secret-keys ana`),
  )('destroys: %s', (line) => expect(judge(line)).toBe('destroys'))
})
