/**
 * The ways in which a text may be read by whatever takes it: as it stands, percent-decoded, with the quotes and
 * escapes of a shell taken away, with the backslashes of Windows paths turned. All in lower case, because some
 * file systems and every host name ignore case.
 *
 * These are the simple disguises. A program can always compose a name out of parts; that is beyond any look at
 * the text, and the threat model says so.
 */
export function spellingsOf(text: string): string[] {
  const plain = foldCase(text)
  if (!/[%\\'"`^[\t\r\n]/.test(plain)) return [plain]
  const decoded = plain.includes('%') ? percentDecoded(plain) : plain
  return decoded === plain ? readingsOf(plain) : [...readingsOf(plain), ...readingsOf(decoded)]
}

/**
 * What a shell may make of a line besides: variables and substitutions that come to nothing or to anything, defaults
 * of variables, escapes in quotes, braces written out.
 */
export function lineSpellingsOf(text: string): string[] {
  if (!/[$`{]/.test(text) || text.length > LONGEST_REWRITTEN) return []
  const plain = foldCase(text.replace(/\$'((?:[^'\\]|\\.)*)'/gs, (_, inner: string) => unescaped(inner)))
  const unquoted = plain.replace(/\\\r?\n|[\\'"^]/g, '')
  const bare = unquoted
    .replace(/\$\{\w+:?[-=+]([^{}$]*)\}/g, '$1')
    .replace(/\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$(?:[@*#?!$-]|\w+)/g, '')
  const open = unquoted.replace(/\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$\w+/g, '*')
  return [...new Set([unquoted, bare, writeOutBraces(bare), open])]
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8})|([0-7]{1,3}))/gi,
    (_, hex?: string, short?: string, long?: string, octal?: string) => {
      const code =
        octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8)
      return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )
}

/** Longer lines are read, not rewritten. */
const LONGEST_REWRITTEN = 16_384
const MOST_BRACES = 32

/** From the beginning of a word only, and only into braces that are closed: else a long word is walked again and again. */
const BRACES = /(?<![^\s{}])([^\s{}]*)\{(?=[^{}\s]*\})([^{}\s]*?(?:,|\.\.)[^{}\s]*)\}([^\s{}]*)/

/** `a{b,c}` becomes `ab ac`. */
export function writeOutBraces(text: string): string {
  let written = text
  for (let count = 0; count < MOST_BRACES && written.length <= LONGEST_REWRITTEN; count++) {
    const braces = BRACES.exec(written)
    if (braces === null) return written
    const [whole, before = '', choices = '', after = ''] = braces
    const each = choices.includes(',') ? choices.split(',') : ['?']
    const words = each.map((choice) => `${before}${choice}${after}`).join(' ')
    written = written.slice(0, braces.index) + words + written.slice(braces.index + whole.length)
  }
  return written
}

function readingsOf(text: string): string[] {
  const readings = [text]
  if (text.includes('\\')) {
    readings.push(text.replaceAll('\\', '/'))
    // The ends of lines and words in `printf 'x\n'` and in code.
    if (/\\[nrt]/.test(text)) readings.push(text.replace(/\\[nrt]/g, ' '))
  }
  if (/[\\'"`^[]/.test(text)) {
    // A shell takes `[b]` for b, and a backslash at the end of a line joins it with the next.
    readings.push(text.replace(/\\\r?\n|[\\'"`^]/g, '').replace(/\[([^\]])\]/g, '$1'))
  }
  // Browsers and `fetch` drop these from the middle of an address.
  if (/[\t\r\n]/.test(text)) readings.push(text.replace(/[\t\r\n]/g, ''))
  return readings
}

/** Lower case; and where it is not plain ASCII, full-width and other look-alike forms become the usual ones. */
export function foldCase(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\u3002', '.')
    .toLowerCase()
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)).toLowerCase(),
  )
}
