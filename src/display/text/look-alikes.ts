/**
 * Finds words that are not what they look like: letters of two scripts in one word, fullwidth and styled
 * letters, a word of another script that is made of Latin look-alikes, and punctuation that passes for a slash
 * or a dot inside a name.
 *
 * Chinese, Japanese and Korean are written without spaces and next to Latin words, so their characters end a
 * word instead of belonging to it; a word in one script is never marked for being in that script.
 */
export interface LookAlike {
  start: number
  end: number
  /** `Latin+Cyrillic`, `fullwidth`, `styled`, `phonetic`, `mixed digits`, `all Cyrillic`, `looks like /`. */
  name: string
}

/** What the whole text says about a part of it: whether a script is in real use there. */
export interface ScriptContext {
  latin: boolean
  /** Scripts of which the text has a word that could not be taken for Latin. */
  genuine: ReadonlySet<string>
}

export function findLookAlikes(text: string, context: ScriptContext): LookAlike[] {
  const found: LookAlike[] = []
  for (const match of text.matchAll(CANDIDATE)) {
    const [word] = match
    const start = match.index
    const name =
      PUNCTUATION.get(word) ?? judgeWord(word, () => isAttachedToLatin(text, start, word.length), context)
    if (name !== undefined) found.push({ start, end: start + word.length, name })
  }
  return found
}

export function scriptContextOf(text: string): ScriptContext {
  const genuine = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    if (ASCII.test(word) || LATIN_WORD.test(word) || LOOK_ALIKE_WORD.test(word)) continue
    const scripts = scriptsOf(word)
    if (scripts.length === 1) genuine.add(scripts[0]!)
  }
  return { latin: /[A-Za-z]/.test(text), genuine }
}

function judgeWord(word: string, isAttached: () => boolean, context: ScriptContext): string | undefined {
  if (ASCII.test(word)) return undefined
  if (FULLWIDTH.test(word)) return 'fullwidth'
  if (STYLED.test(word)) return 'styled'
  if (PHONETIC.test(word)) return 'phonetic'
  if (ASCII_DIGIT.test(word) && OTHER_DIGIT.test(word)) return 'mixed digits'
  if (LATIN_WORD.test(word)) return undefined
  const scripts = scriptsOf(word)
  if (scripts.length > 1) return scripts.join('+')
  const script = scripts[0]
  if (script === undefined || !LOOK_ALIKE_WORD.test(word)) return undefined
  // One letter alone is a variable in a formula more often than it is a forgery.
  const stands = context.latin && !context.genuine.has(script) && word.length > 1
  return stands || isAttached() ? `all ${script}` : undefined
}

/** Whether Latin letters stand in the same name, as in a host or a path. The look around is bounded. */
function isAttachedToLatin(text: string, start: number, length: number): boolean {
  const before = text.slice(Math.max(0, start - ATTACHED_WITHIN), start)
  const after = text.slice(start + length, start + length + ATTACHED_WITHIN)
  return LATIN_BEFORE.test(before) || LATIN_AFTER.test(after)
}

/** In the order of their first letters. */
function scriptsOf(word: string): string[] {
  const scripts = new Set<string>()
  for (const character of word) {
    const script = scriptOf(character)
    if (script !== undefined) scripts.add(script)
  }
  return [...scripts]
}

/** Digits, punctuation and marks that many scripts share have none. */
function scriptOf(character: string): string | undefined {
  if (/^[A-Za-z]$/.test(character)) return 'Latin'
  const known = KNOWN_SCRIPTS.get(character)
  if (known !== undefined) return known === '' ? undefined : known
  const script = NO_SCRIPT.test(character)
    ? ''
    : (SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? 'Other')
  if (KNOWN_SCRIPTS.size < MOST_KNOWN_SCRIPTS) KNOWN_SCRIPTS.set(character, script)
  return script === '' ? undefined : script
}

/** Trying forty patterns on each letter of a long text would take seconds. */
const KNOWN_SCRIPTS = new Map<string, string>()
const MOST_KNOWN_SCRIPTS = 4096

const ATTACHED_WITHIN = 64

const ASCII = /^[\0-\x7f]*$/
const ASCII_DIGIT = /[0-9]/
const OTHER_DIGIT = /[\p{Nd}--[0-9]]/v
const NO_SCRIPT = /[\p{sc=Zyyy}\p{sc=Zinh}]/v
const LATIN_WORD = /^[\p{sc=Latin}\p{sc=Zyyy}\p{sc=Zinh}]+$/v

/**
 * Inside a name, between ASCII letters or digits, these pass for the character they are listed under. Fullwidth
 * punctuation that Chinese puts between Latin words as a matter of course (，：；？～) is left out.
 */
const PUNCTUATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '/': '\u2044\u2215\u29f8\uff0f\u30ce\u4e3f\u3033',
    '.': '\u2024\uff0e\u3002\uff61\ufe52\u0701\ua4f8',
    ':': '\u2236\ua789\ufe55\u02d0\ua4fd',
    ';': '\u037e',
    '-': '\u2010\u2011\u2012\u2212\ufe63\uff0d\u02d7\u30fc\u4e00',
    '|': '\u2223\uff5c\u4e28\u2758',
    '\\': '\u2216\u29f5\uff3c\ufe68',
    '@': '\uff20\ufe6b',
    '#': '\uff03\ufe5f',
    '&': '\uff06\ufe60',
    $: '\uff04\ufe69',
    _: '\uff3f',
    '=': '\uff1d\ufe66',
    '*': '\u2217\uff0a\ufe61\u204e',
    '~': '\u223c',
  }).flatMap(([ascii, lookAlikes]) => [...lookAlikes].map((one) => [one, `looks like ${ascii}`])),
)
const LOOK_ALIKE_PUNCTUATION = [...PUNCTUATION.keys()].join('')

const CJK = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Hangul}'
const WORD_CLASS = `[[\\p{L}\\p{M}\\p{Nd}\\p{Nl}]--[${CJK}${LOOK_ALIKE_PUNCTUATION}]]`
const WORD = new RegExp(`${WORD_CLASS}+`, 'gv')
const LATIN_BEFORE = new RegExp(`[A-Za-z][^\\s${CJK}]*$`, 'v')
const LATIN_AFTER = new RegExp(`^[^\\s${CJK}]*?[A-Za-z]`, 'v')

const FULLWIDTH = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/
/** Mathematical, letterlike and segmented forms, ligatures, the long s, Roman numerals: compatibility letters. */
const STYLED =
  /[\u{1d400}-\u{1d7ff}\u{1fbf0}-\u{1fbf9}\u2102-\u2138\u213c-\u2149\ufb00-\ufb06\u017f\u2160-\u2188]/v
/** Phonetic and other rare Latin letters, among them a second a and g, small capitals and the clicks ǀ and ǃ. */
const PHONETIC = /[\u01c0-\u01c3\u0250-\u02af\u1d00-\u1d2b\ua7af-\ua7ff\u{1df00}-\u{1dfff}]/v

/** Letters that most fonts draw as they draw a Latin one. Cherokee, Lisu and Coptic are so close that all count. */
const LOOK_ALIKE_WORD = new RegExp(
  `^[${[
    'асеорхуіѕјһԁԛԝѵӏквмнтАВЕКМНОРСТХУІЅЈӀ',
    'ονικρυαχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ',
    'օոսհցքՕՏՍԼ',
    '\\p{sc=Cherokee}\\p{sc=Lisu}\\p{sc=Coptic}',
    '\\p{M}0-9',
  ].join('')}]+$`,
  'v',
)

const SCRIPTS = (
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Nko Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian Ethiopic Cherokee Lisu Coptic ' +
  'Canadian_Aboriginal Runic Ogham Gothic Old_Italic Deseret Osage Tifinagh Vai Yi'
)
  .split(' ')
  .map((name) => [name.replace('_', ' '), new RegExp(`\\p{sc=${name}}`, 'v')] as const)

const CANDIDATE = new RegExp(
  `(?<=[A-Za-z0-9])[${LOOK_ALIKE_PUNCTUATION}](?=[A-Za-z0-9])|${WORD_CLASS}+`,
  'gv',
)
