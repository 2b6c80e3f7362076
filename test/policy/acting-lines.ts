/** Lines of allowed programs that run or write something by a word, a setting or a script of the program's own. */
export const ACTING_LINES: readonly string[] = `
git -c submodule.recurse.update='!x' pull
git -c submodule.recurse=true -c core.pager=./x log
git -c core.editor=./x commit
git -c user.name.x=y -c core.sshCommand=./x fetch
git -c color.x.y.z='!x' status
git -c branch.x.remote=ext::x pull
git --exec-path=user.x status
git --exec-path=./x status
git --git-dir=./src/x status
git --git-dir ./src/x log
git --work-tree=/tmp checkout .
git --config-env=core.pager=X log
sqlite3 db '.sh x'
sqlite3 db '.shell x'
sqlite3 db '.sys x'
sqlite3 db ' .system x'
sqlite3 db "select edit('x')"
sqlite3 db "select EDIT ('x','y')"
sqlite3 db "select edit/**/('x')"
sqlite3 db "select writefile('/tmp/x','y')"
sqlite3 db "select load_extension('./x')"
sqlite3 db "select readfile('/etc/passwd')"
sqlite3 db '.backup /tmp/x'
sqlite3 db '.backup main /tmp/x'
sqlite3 db '.ba /tmp/x'
sqlite3 db '.save /tmp/x'
sqlite3 db '.clone /tmp/x'
sqlite3 db '.excel'
sqlite3 db '.log /tmp/x'
sqlite3 db '.once /tmp/x'
sqlite3 db '.output /tmp/x'
sqlite3 db '.open /tmp/x'
sqlite3 db '.import "|x" t'
sqlite3 db '.load ./x'
sqlite3 db '.read x'
sqlite3 db '.archive -x'
sqlite3 db '.cd /tmp'
sqlite3 db '.trace /tmp/x'
sqlite3 db '.session open main x'
sqlite3 db 'select 1;
.sh x'
sqlite3 db "vacuum into '/tmp/x'"
sqlite3 db "attach '/tmp/x' as x"
sqlite3 -cmd '.sh x' db 'select 1'
sqlite3 db -A -x
sqlite3 --init x db 'select 1'
psql -c '\\! x'
psql -c '\\o /tmp/x'
psql -c '\\w /tmp/x'
psql -c '\\i x'
psql -c '\\ir x'
psql -c '\\copy t to /tmp/x'
psql -c '\\g |x'
psql -c '\\gexec'
psql -c '\\lo_export 1 /tmp/x'
psql -c "copy t to program 'x'"
psql -c "COPY t FROM PROGRAM 'x'"
mysql -e '\\! x'
mysql -e 'system x'
mysql -e 'tee /tmp/x'
mysql -e 'pager x'
mysql -e 'source x'
mysql -e '\\. x'
mysql -e "select 1 into outfile '/tmp/x'"
mysql -e "select 1 into dumpfile '/tmp/x'"
python3 -m timeit x
python3 -m timeit -s x y
python3 -m pdb -c x y.py
python3 -mtimeit x
python3 -Im pdb x.py
python3 -m code
python3 -m asyncio
python3 -m sqlite3 db x
python3 -m idlelib -c x
python3 -m pytest -p x
python3 -m cProfile -o /tmp/x y.py
python3 -m trace --coverdir=/tmp/x y.py
python3 -m pytest --rootdir=/tmp/x
python3 -m mypy --python-executable ./x src
python3 -m pylint --load-plugins=x src
python3 -m pip install --target /tmp/x y
npx eslint -f ./x.js src
npx --yes eslint -f ./x.js src
npx jest --setupFiles ./x.js
npx vitest --config ./x.ts
npx prettier --plugin ./x.js y
npx -p jest jest --globalSetup=./x.js
npx jest@29 --globalSetup=./x.js
npm exec eslint -- -f ./x.js src
npm exec -- eslint -f ./x.js src
yarn eslint -f ./x.js src
yarn jest --setupFiles ./x.js
yarn exec eslint -f ./x.js
pnpm exec eslint -f ./x.js
pnpm jest --setup-files ./x.js
pnpm dlx prettier --plugin=./x.js
bunx vitest --config ./x.ts
bun x vitest --config ./x.ts
uv run pytest -p x
uv run --with y pytest -p x
uv run python -m pytest -p x
poetry run pytest -p x
poetry run mypy --python-executable=./x .
bundle exec rspec -r ./x.rb
bundle exec rubocop --require ./x.rb
docker run -v /:/x y
docker --config x ps
docker --config=x images
kubectl kustomize --enable-exec .
kubectl kustomize . --enable-alpha-plugins
cp -t /tmp a
cp -rt /tmp a
cp --target=/tmp a
install -t /tmp a
install -Dt /tmp a
mv -ft /tmp a
ln -st /tmp a
git stash show --output=/tmp/x
git stash show -p --output /tmp/x
git stash list -p --outp=/tmp/x
go build -ldflags=-extld=./x
go build -ldflags '-linkmode=external -extld=./x'
go build --ldflags=-extld=./x
go test -toolexec=./x ./...
go test ./... -exec ./x
gcc @file
gcc -o x x.c @file
cargo rustc -- -C linker=x
cargo rustc --release -- -Clinker=x
cargo clippy -- -C linker=x
cargo rustdoc -- --test-runtool=./x
less '+!x' y
less '++!x' y
sed -nf x y
sed -n --fi=x y
sed --expr='1e id' x
sed -E --expression='1e id' x
awk --fil=x y
awk --inc=x 1
awk --loa=x 1
node --input-type module -e x
node --input-type=module --eval x
node --title x -e y
node -r./x.js y.js
node --import=./x.js y.js
ssh -o ProxyCommand=./x h
ssh -oProxyCommand=./x h
ssh h -o LocalCommand=./x
scp -S ./x a b:c
cmake -P x.cmake
cmake -E env ./x
make SHELL=./x
make CC=./x test
make test CC=./x
make -f - test
find . -fprint /tmp/x
find . -fprintf /tmp/x %p
sort -o /tmp/x y
sort y -o/tmp/x
sort --output=/tmp/x y
curl -o /tmp/x u
tsc --outDir /tmp/x
tsc @x
rustc @x
mypy @x
javac @x
java @x
pip install -t /tmp/x y
git difftool -x ./x
git rebase --exec ./x main
git grep -O./x y
git bisect run ./x
gdb -batch -ex 'shell x'
vim -c '!x' y
emacs --batch --eval x
perl -MPOSIX=x y.pl
ruby -rx y.rb
php -d auto_prepend_file=x y.php
deno eval x
bun -e x
rg --pre ./x y
rg --pre=./x y
tar cf x.tar --checkpoint=1 --checkpoint-action=exec=x y
rsync -e ./x a b:c
openssl x509 -in a -out /tmp/b
openssl rand -out /tmp/b 9
pytest -qp x
pytest -xvp x tests
mocha -br ./x.js
rspec -cr ./x.rb
cp -vt /tmp a
cp -at/tmp a
uvx pytest -p x
pipenv run pytest -p x
hatch run pytest -p x
coverage run -m pytest -p x
yarn run eslint -f ./x.js
bun run eslint -f ./x.js
bunx eslint -f ./x.js
pnpm -r exec eslint -f ./x.js
npm exec -w a -- eslint -f ./x.js
npx ./node_modules/.bin/eslint -f ./x.js
node node_modules/.bin/eslint -f ./x.js
node ./node_modules/jest/bin/jest.js --setupFiles ./x.js
jest --setupFiles.0 ./x.js
git shortlog --output=/tmp/x
git blame --output=/tmp/x a
git cherry-pick --strategy=./x a
python3 -W error::x.Y z.py
gh run --dir /tmp/x download 1
gh run download 1 --dir /tmp/x
make CC:=./x
make .SHELLFLAGS=z
terraform -chdir=/tmp/x plan
helm --post-renderer ./x template .
tsc --OUTDIR /tmp/x
tsc -P ./src/x.json
tsc --OutFile /tmp/x
jest --coverageReporters ../../src/x.js
jest --coverage-reporters=./x
pytest tests @x
pytest --ds=x
vitest bench --outputJson /tmp/x
git send-pack --exec=./x .
git send-pack --receive-pack ./x .
git fetch-pack --upload-pack ./x .
git remote-ext origin ./x
git index-pack -o /tmp/x y
git read-tree --index-output=/tmp/x HEAD
git mailsplit -o/tmp/x y
dotnet build -P:CustomBeforeMicrosoftCommonTargets=./x
dotnet build /p:CustomBeforeMicrosoftCommonTargets=./x
dotnet build --property:CustomBeforeMicrosoftCommonTargets=./x
dotnet build /l:./x.dll
dotnet build @x
dotnet build --OUTPUT /tmp/x
openssl engine -pre SO_PATH:./x.so
`
  .split(/\n(?=\w)/)
  .map((line) => line.trim())
  .filter((line) => line !== '')

/** What people run every day, and what an allow of the program is for. */
export const HARMLESS_LINES: readonly string[] = `
eslint -f json src
jest --coverageReporters lcov
dotnet build -p:Configuration=Release
dotnet build --property:Configuration=Release
eslint --format stylish src
eslint --ext .ts src
eslint -c eslint.config.js src
prettier --check src
prettier --parser babel x
jest --ci --coverage
jest --env=jsdom src
jest -c jest.config.js
vitest run --reporter=verbose
vitest run --config vitest.config.ts
vitest --coverage.provider=v8
mocha -R spec test
mocha --timeout 5000
pytest -x -q tests
pytest -p no:cacheprovider tests
pytest -W error tests
pytest -k x --maxfail=2
mypy --strict src
mypy --config-file mypy.ini src
flake8 --max-line-length 100 src
go build ./...
go build -ldflags='-s -w' ./...
go build -ldflags "-X main.version=1" ./...
go test -run TestX -count=1 ./...
cargo build --release
cargo test --manifest-path crates/x/Cargo.toml
cargo rustc -- -C opt-level=3
cargo clippy -- -D warnings
gcc -O2 -Wall -c x.c
gcc -Wl,-rpath,/usr/lib x.c
make -j8 test
make -C sub test
make V=1 test
gradle test -Dfoo=bar
mvn -q test -Dtest=X
java -Xmx1g -cp x Y
java -XX:+UseG1GC -cp x Y
cmake -DCMAKE_BUILD_TYPE=Release .
git -c color.ui=always log
git -c user.name=x -c user.email=y commit -m z
git log --oneline
git stash show -p
docker compose -f docker-compose.yml ps
docker ps -a
kubectl get pods -n x
sqlite3 x.db 'select * from t'
sqlite3 x.db '.tables'
sqlite3 -header x.db '.schema t'
psql -c 'select 1'
psql -c '\\dt'
mysql -e 'show tables'
python3 -m pytest tests -x
python3 -m http.server
npx eslint -f json src
npx prettier --check src
yarn jest --ci
uv run pytest -x
sed -n 1,5p x
awk '{print $1}' x
node --input-type=module x.js
node --test
node scripts/sort.js -o /tmp/x
npm exec tsc -- --noEmit
ssh h
less +F x
tsc -p tsconfig.build.json
tsc --noEmit
terraform plan
composer install
bundle exec rspec --format documentation
`
  .split('\n')
  .filter((line) => line !== '')
