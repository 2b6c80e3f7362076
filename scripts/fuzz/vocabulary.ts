// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
/** The pieces that long texts are put together from: what means something to a shell, a path, an address, a mask, a diff. */

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '')

export const WRAPPERS = words(
  'time eval env nice nohup sudo doas exec command builtin busybox xargs setsid stdbuf ionice watch parallel flock ' +
    'find fd su script ssh docker strace ltrace chroot unshare coproc function alias trap export declare',
)
  .map((word) => `${word} `)
  .concat([
    'timeout 1 ',
    'nice -n 5 ',
    'env A=1 ',
    'sh -c ',
    "sh -c '",
    'bash -c "',
    'eval "',
    'xargs -I{} ',
    'find . -exec ',
    'find . -name a -exec cat {} + ',
    'git -c a=b ',
    'sudo -u root ',
    'timeout -k 1 2 ',
    'flock f -c ',
    'npx ',
    'python3 -c ',
  ])

export const OPENING: readonly (readonly [open: string, close: string])[] = [
  ['$(', ')'],
  ['`', '`'],
  ['(', ')'],
  ['{ ', '; }'],
  ['{', '}'],
  ['${a:-', '}'],
  ['${', '}'],
  ['$((', '))'],
  ['((', '))'],
  ['$[', ']'],
  ['[[ ', ' ]]'],
  ['[', ']'],
  ['"', '"'],
  ['"$(', ')"'],
  ["'", "'"],
  ["$'", "'"],
  ['<(', ')'],
  ['if a; then ', '; fi'],
  ['while a; do ', '; done'],
  ['for a in b; do ', '; done'],
  ['case a in b) ', ';; esac'],
  ['f() { ', '; }'],
  ['{a,', '}'],
  ['@(a|', ')'],
  ['!(', ')'],
  ['<<a ', '\na\n'],
  ["<<'a'\n", '\na\n'],
  ['a=(', ')'],
  ['a[', ']=1'],
  ['! ', ''],
  ['coproc ', ''],
  ['{"a":', '}'],
  ['<a>', '</a>'],
]

export const SHELL = words(
  'ls | ; & && || ! { } ( ) [ ] [[ ]] (( )) < > >> << <<- <<< <& >& >| <> $( ` $[ ${ } " \' \\ # * ? ~ $ $x "$x" $1 $@ $* ' +
    "a=1 PATH=x rm cat -- -rf / .. . if then fi do done for in case esac while function {a,b} {1..9} [a-z] a/b $'a' " +
    'cd x: @(a) !(b) <<a <<a<<a >a 2>&1 -exec {} + \\; sh -c eval time env timeout xargs find sudo =a a[1]=2 ${a} ${a:-b} $((1)) `a` <(a)',
).concat([
  '\n',
  ' ',
  '\t',
  '\\\n',
  '; ',
  '\r',
  '\0',
  '\x1b[31m',
  '"a b" ',
  "'a b' ",
  '& ',
  'ls | ',
  'cd a && ',
  '<<a\n',
  '\na\n',
])

export const PATHS = words(
  '/ .. . ~ a aa ** * ? [a-z] {a,b} { } , ! ( ) \\ // /proc/self/cwd/ /dev/fd/ .git/ .env banksman .banksman/ a/',
).concat(['../', './', 'a/../', '**/', '*/', '*a', '{a,b}/', '{a,', '[', '[!', '@(a|b)', '\\*'])

export const ADDRESSES = words(
  'http:// https:// // / . @ : ? & = # % %2e %00 a.b xn--a- 127.0.0.1 0x7f.1 [::1] localhost 2130706433 ftp: data:, \\ a=b&',
)

export const PROSE = words(
  'a é 漢 🙂 👨‍👩‍👧 а ο l1I0O \u0300 \u202e \u2066 \u200b \u00ad \ufeff \u115f \ufe0f \u{e0061} <b> &amp; \\u0041 %41 -',
).concat([' ', '\n', '\r\n', '\t', '\0', '\x1b[0m', '\x7f', '\x85'])

export const SECRETS = [
  'AKIAIOSFODNN7EXAMPL# ',
  'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789 ',
  'sk-ant-api03-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789 ',
  'sk-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789aBcDeFgHiJk ',
  'xoxb-123456789012-123456789012-aBcDeFgHiJkLmNoPqRsTuVwX ',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnop ',
  '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
  '-----BEGIN ',
  'password=hunter2# ',
  'Authorization: Bearer abcdefghijklmnop\n',
  'postgres://app:secret@host/db ',
  'api_key: "0123456789abcdef" ',
  'https://a:b@c/ ',
  'bma_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789 ',
  'eyJ',
  'sk-',
  'ghp_',
]
