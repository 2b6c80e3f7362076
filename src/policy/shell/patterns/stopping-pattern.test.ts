import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { quoteWord } from '../../../core/support/quote-word.ts'
import { knownPrograms, optionTableOf } from '../../known-programs.ts'
import type { ProgramOptionTable } from '../options/option-table.ts'
import { readShell, readWords } from '../read/read-shell.ts'
import { compileCommandPattern } from './command-pattern.ts'
import { compileStoppingPattern } from './stopping-pattern.ts'

function holds(pattern: string, line: string) {
  const [command] = readShell(line).commands
  if (command === undefined) throw new Error(`no command in ${line}`)
  return compileStoppingPattern(pattern)(command)
}

/** `pattern: yes; yes | no; no | unknown; unknown` */
const CASES = `
rm -rf *: rm -rf x; rm -fr x; rm -r -f x; rm -Rf x; rm -rfv x; rm -vfr x; rm x -rf; rm x -r y -f; rm --recursive --force x; rm --rec --fo x; rm -r --force -- x; rm -rf -- x; rm -fR; rm -r -i -f x | rm -r x; rm -f x; rm x; rm -- -rf; rm -r -- -f; rm src/*.ts | rm $X /; rm / $X; rm -r{f,} x; rm -r"$X" x; rm *.ts
rm --recursive --force *: rm -rf x; rm -Rf x | rm -r x
rm -r*: rm -fr x; rm -r x; rm --recursive x | rm -f x
rm: rm; rm -rf | rm x
rm /etc/*: rm -rf /etc/x; rm /etc/x -v | rm -rf x
git push --force *: git push -f; git push origin main -f; git -C x push -f; git -C x push origin --force; git --no-pager push -fu origin main; git push -uf; git push --force=; git -c a.b=c push -f; git push origin +main | git push; git push origin main; git push --force-with-lease; git push --force-if-includes; git push -o f origin; git push --repo -f; git fetch -f; git commit -m 'push -f'; git push origin -- -f | git push --forc; git push $X; git --new x push -f
git push --force: git push -f; git push -f -v | git push -f origin
git push -f *: git push --force origin
git push * --force: git push -f; git push --force origin main; git push origin -f | git push origin
git * --force *: git push -f; git push origin main --force | git push
git push --force*: git push -f; git push --force-with-lease; git push --force-with-lease=main origin | git push
* --force *: git push -f; npm install -f; git push --force | git push
git branch -D *: git branch -d -f x; git branch --delete --force x; git branch -fd x; git branch -D x | git branch -d x; git branch -f x
git push --delete *: git push origin :main; git push -d origin main | git push origin main:main
git reset --hard *: git reset --har; git reset HEAD~1 --hard | git reset --soft; git reset
git clean -fdx *: git clean -d -f -x; git clean -xdf; git clean --force -dx | git clean -fd
chmod -R 777 *: chmod 777 -R x; chmod --recursive 777 x; chmod -vR 777 x | chmod 777 x; chmod -R 755 x
kubectl delete --all *: kubectl delete --all -n x; kubectl -n x delete pods --all; kubectl delete pods --all=true | kubectl delete pods x; kubectl get --all | kubectl delete --all=false
kubectl delete -n prod *: kubectl delete --namespace prod x; kubectl delete --namespace=prod x; kubectl delete x -nprod; kubectl -n prod delete x; kubectl delete -n=prod x | kubectl delete -n dev x | kubectl delete -n "$N" x
curl -X POST *: curl -X POST u; curl --request POST u; curl -XPOST u; curl --request=POST u; curl u -X POST; curl -sXPOST u; curl -sX POST u | curl u; curl -X GET u; curl -d POST u | curl -X "$M" u; curl --req POST u
npm publish --access public *: npm publish --access=public; npm publish --tag x --access public; npm --access public publish | npm publish; npm publish --access restricted
tar -xf *: tar -xf a; tar xf a; tar xzf a; tar --extract --file a; tar --extract --file=a; tar -f a -x; tar --get -fa; tar -xzvf a | tar tf a; tar -cf a b
tar xf *: tar -x -f a; tar --extract --file=a | tar tf a
ps aux: ps aux; ps xua; ps -aux; ps a -u -x | ps
find . -delete: find . -delete; find . -name x -delete; find . -type f ( -name x -o -name y ) -delete | find .; find . -name -delete; find x -delete
find * -delete: find . -delete; find -delete; find a b -name x -delete | find .
go test -run x *: go test -run x; go test --run x ./...; go test -run=x; go test ./... -run x; go test -v --run=x | go test; go test -run y; go test -rn x
dd of=/dev/*: dd if=/dev/zero of=/dev/sda; dd of=/dev/sda bs=1M | dd if=/dev/zero of=x
dd if=* of=/dev/sda: dd of=/dev/sda if=x bs=1 | dd of=/dev/sda
kill -9 *: kill -9 1; kill -KILL 1; kill -SIGKILL 1; kill -s KILL 1; kill -s 9 1; kill --signal=KILL 1; kill --signal 9 1; kill -n 9 1 | kill 1; kill -15 1; kill -s TERM 1
sed -i *: sed -i s/a/b/ x; sed -i.bak s/a/b/ x; sed --in-place s/a/b/ x; sed -ni p x; sed s/a/b/ -i x; sed -Ei s/a/b/ x; sed --in-pl=.bak s/a/b/ x | sed s/a/b/ x; sed -e -i x
docker rm -f *: docker rm --force x; docker rm x -f; docker --context y rm -vf x; docker -H tcp://x rm -f x | docker rm x; docker run x rm -f; docker run --rm x -f
docker run --privileged *: docker run --privileged x; docker run -it --privileged x; docker run --privileged=true x; docker run -v a:b --privileged x | docker run x --privileged; docker run -e --privileged x
docker run -v /:/host *: docker run -v /:/host x; docker run --volume /:/host x; docker run --volume=/:/host x; docker run -v/:/host x | docker run -v /x:/host x
terraform apply -auto-approve *: terraform apply -auto-approve; terraform apply --auto-approve; terraform -chdir=x apply -auto-approve; terraform apply -var a=b -auto-approve; terraform apply -auto-approve=true | terraform apply; terraform plan -auto-approve
apt-get install -y *: apt-get -y install x; apt-get install x --yes; apt-get install --assume-yes x; apt-get -qq -y install x | apt-get install x
pip install --user *: pip install x --user; pip --no-input install --user x | pip install x
rsync --delete *: rsync -a --delete a b; rsync --del a b; rsync a b --delete | rsync -a a b
rsync -r *: rsync -a a b; rsync -av a b; rsync --archive a b; rsync --recursive a b | rsync -t a b
cp -r *: cp -R a b; cp -a a b; cp --recursive a b; cp a b -r; cp --archive a b | cp a b
psql -c *: psql -c x; psql --command=x; psql -d y -cx; psql --command x | psql -d x
python -c *: python -c x; python -Ic x | python x.py -c
ssh -o *: ssh -o A=b host; ssh -oA=b host; ssh -p 2 -o A=b host | ssh host ls -o
make deploy *: make ENV=prod deploy; make -C x deploy; make -j8 deploy | make build; make -j 8 build | make -j 8 deploy
cargo publish *: cargo +nightly publish; cargo --locked publish; cargo -q publish --allow-dirty | cargo build
node -e *: node -pe x; node --eval x; node -e x; node --eval=x | node x.js -e; node -p x
docker run --network host *: docker run --net host x; docker run --net=host x | docker run --net none x
gh api -X DELETE *: gh api --method DELETE x; gh api -XDELETE x; gh api x --method=DELETE; gh -R a/b api -X DELETE x | gh api x; gh api -X GET x
systemctl stop *: systemctl --user stop x; systemctl -q stop x | systemctl status x
unknown-tool -ab *: unknown-tool -ba; unknown-tool -b -a; unknown-tool -a -b x; unknown-tool -b x -a; unknown-tool -ab x | unknown-tool -a; unknown-tool -b; unknown-tool x; unknown-tool --ab | unknown-tool -abc; unknown-tool -banana; unknown-tool "$X"
unknown-tool -o f *: unknown-tool -o f; unknown-tool -o f x | unknown-tool -x f; unknown-tool f | unknown-tool -of; unknown-tool f -o; unknown-tool -o g f
unknown-tool --out=f *: unknown-tool --out=f; unknown-tool x --out=f | unknown-tool --out=g | unknown-tool --out f
unknown-tool delete *: unknown-tool delete; unknown-tool delete --x y; unknown-tool --verbose=1 delete | unknown-tool list; unknown-tool --x list; unknown-tool --a b --c d --e f --g h --i j --k l list | unknown-tool --profile x delete; unknown-tool -v delete --x
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [, pattern = '', rest = ''] = /^(.*?\S): (.*)$/.exec(line) ?? []
    return rest
      .split(' | ')
      .flatMap((lines, kind) =>
        lines
          .split('; ')
          .map((each) => [pattern, each.trim(), (['yes', 'no', 'unknown'] as const)[kind]] as const),
      )
  })

describe('a deny or an ask finds options however they are written', () => {
  it.each(CASES)('P5: %s on %s: %s', (pattern, line, expected) => {
    expect(holds(pattern, line.replaceAll(/ ([()]) /g, ' \\$1 '))).toBe(expected)
  })

  it('P5: in lines of any length', () => {
    const many = (word: string) => `${word} `.repeat(1400)
    const [rm] = readShell(`rm ${many('-v a')}-rf`).commands
    expect(rm && compileStoppingPattern('rm -rf *')(rm)).toBe('yes')
    const [tool] = readShell(`unknown-tool ${many('--x a')}delete`).commands
    expect(tool && compileStoppingPattern('unknown-tool delete *')(tool)).toBe('unknown')
    expect(tool && compileStoppingPattern('unknown-tool remove *')(tool)).toBe('no')
    const [long] = readShell(`unknown-tool -${'ab'.repeat(60_000)}`).commands
    expect(long && compileStoppingPattern('unknown-tool -abc *')(long)).toBe('no')
    expect(long && compileStoppingPattern('unknown-tool -ab *')(long)).toBe('yes')
  })
})

describe('properties', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '-', '=', 'r'), maxLength: 4 })
  const words = fc.array(letters, { maxLength: 5 })
  const program = fc.constantFrom('rm', 'git', 'tar', 'find', 'dd', 'unknown-tool', 'curl')
  const patternWord = fc.string({
    unit: fc.constantFrom('a', 'b', '-', '*', 'r'),
    minLength: 1,
    maxLength: 3,
  })
  const patterns = fc
    .tuple(program, fc.array(patternWord, { maxLength: 4 }), fc.boolean())
    .map(([name, parts, open]) => [name, ...parts].join(' ') + (open ? ' *' : ''))

  it('property: P5: whatever matches as it is written matches', () => {
    fc.assert(
      fc.property(patterns, program, words, (pattern, name, rest) => {
        const [command] = readWords([name, ...rest]).commands
        if (command === undefined) return
        const written = compileCommandPattern(pattern)(command)
        const said = compileStoppingPattern(pattern)(command)
        if (written === 'yes') expect(said).toBe('yes')
        if (written === 'unknown') expect(said).not.toBe('no')
      }),
      { numRuns: runs(5000) },
    )
  })

  /** Every known option, by program and sub-command. */
  const tables = [...knownPrograms()].flatMap(([name, { options }]) =>
    options === undefined || options.like !== undefined ? [] : tablesOf([name], optionTableOf(name)),
  )

  it('property: P5: an option of a program is found by any of its names, anywhere, and is missed where it is not', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tables), fc.gen(), ({ path, table }, gen) => {
        const known = entriesOf(table)
        if (known.length === 0) return
        const chosen = gen(() => fc.uniqueArray(fc.constantFrom(...known), { minLength: 1, maxLength: 3 }))
        const pattern = [...path, ...chosen.flatMap((one) => spelled(one, one.names[0] ?? ''))].join(' ')
        const spellings = chosen.map((one) =>
          spelled(
            one,
            gen(() => fc.constantFrom(...one.names)),
          ),
        )
        const order = gen(() => fc.shuffledSubarray(spellings, { minLength: spellings.length }))
        const isFirst = table.has('first')
        // `ps a` is `ps -a`: letters alone may be options.
        const operand = table.has('bare') ? './operand' : 'operand'
        const line = [...path, ...order.flat(), operand, ...(isFirst ? [] : ['other'])]
          .map(quoteWord)
          .join(' ')
        expect(holds(`${pattern} *`, line), `${pattern} * on ${line}`).toBe('yes')
        const [missing] = order
        const less = [...path, ...order.slice(1).flat(), operand].map(quoteWord).join(' ')
        const implied = chosen.some(({ key }) => table.meaning(key).length > 0)
        if (missing !== undefined && !implied && chosen.length === order.length)
          expect(holds(`${pattern} *`, less), `${pattern} * on ${less}`).toBe('no')
      }),
      { numRuns: runs(1000) },
    )
  })

  function tablesOf(
    path: string[],
    table: ProgramOptionTable,
  ): { path: string[]; table: ProgramOptionTable }[] {
    const inner = Object.keys(table.of.commands ?? {}).flatMap((words) => {
      const [word = ''] = words.split(' ')
      const made = table.command(word)
      return made === undefined ? [] : tablesOf([...path, word], made)
    })
    return [{ path, table }, ...inner]
  }

  function entriesOf({ of }: ProgramOptionTable): { key: string; names: string[]; mark: string }[] {
    return (of.names ?? []).flatMap((line) =>
      line.split(', ').flatMap((entry) => {
        const mark = /(?:\[=\]|[=;?])$/.exec(entry)?.[0] ?? ''
        const names = entry.slice(0, entry.length - mark.length).split(' ')
        const plain = names.filter((name) => !name.includes('='))
        return mark === ';'
          ? []
          : [{ key: plain.find((name) => name.startsWith('--')) ?? plain[0] ?? '', names: plain, mark }]
      }),
    )
  }

  function spelled({ mark }: { mark: string }, name: string): string[] {
    return mark === '=' ? [name, 'value'] : [name]
  }
})
