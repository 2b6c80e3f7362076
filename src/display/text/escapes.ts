/**
 * What a character that can't be seen is called when it is written out. `label` is unique to the character, so
 * that two different texts never look the same; `name` is for people and may be shared by many.
 */

export interface CharacterName {
  /** What stands between the brackets: `ESC`, `U+202E RLO`, `U+E000`. */
  label: string
  name: string
}

export function nameCharacter(code: number): CharacterName {
  const control = CONTROLS[code]
  if (control !== undefined) return { label: control, name: CONTROL_NAMES[control] ?? 'control character' }
  const known = KNOWN.get(code)
  const unicode = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (known !== undefined) return { label: `${unicode} ${known[0]}`, name: known[1] }
  if (code >= 0xe0020 && code <= 0xe007e) {
    const letter = code === 0xe0020 ? 'SPACE' : String.fromCharCode(code - 0xe0000)
    // A closing bracket can't occur here: the tag block mirrors ASCII.
    return { label: `${unicode} TAG ${letter}`, name: 'tag character' }
  }
  if (code >= 0xfe00 && code <= 0xfe0f)
    return { label: `${unicode} VS${code - 0xfdff}`, name: 'variation selector' }
  if (code >= 0xe0100 && code <= 0xe01ef)
    return { label: `${unicode} VS${code - 0xe00ef}`, name: 'variation selector' }
  return { label: unicode, name: categoryOf(String.fromCodePoint(code)) }
}

/** The C0 controls and DEL, by code, as ISO 6429 abbreviates them. */
const CONTROLS: Readonly<Record<number, string>> = {
  ...'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SPACE'.split(
    ' ',
  ),
  127: 'DEL',
}

const CONTROL_NAMES: Readonly<Record<string, string>> = {
  NUL: 'null',
  BEL: 'bell',
  BS: 'backspace',
  TAB: 'tab',
  LF: 'line break',
  CR: 'carriage return',
  ESC: 'escape',
  SPACE: 'space',
  DEL: 'delete',
}

const KNOWN: ReadonlyMap<number, readonly [short: string, name: string]> = new Map([
  [0x85, ['NEL', 'next line']],
  [0x9b, ['CSI', 'control sequence introducer']],
  [0x9d, ['OSC', 'operating system command']],
  [0xa0, ['NBSP', 'no-break space']],
  [0xad, ['SHY', 'soft hyphen']],
  [0x34f, ['CGJ', 'combining grapheme joiner']],
  [0x61c, ['ALM', 'Arabic letter mark']],
  [0x115f, ['HCF', 'Hangul filler']],
  [0x1160, ['HJF', 'Hangul filler']],
  [0x180e, ['MVS', 'Mongolian vowel separator']],
  [0x200b, ['ZWSP', 'zero-width space']],
  [0x200c, ['ZWNJ', 'zero-width non-joiner']],
  [0x200d, ['ZWJ', 'zero-width joiner']],
  [0x200e, ['LRM', 'left-to-right mark']],
  [0x200f, ['RLM', 'right-to-left mark']],
  [0x2028, ['LSEP', 'line separator']],
  [0x2029, ['PSEP', 'paragraph separator']],
  [0x202a, ['LRE', 'left-to-right embedding']],
  [0x202b, ['RLE', 'right-to-left embedding']],
  [0x202c, ['PDF', 'end of directional formatting']],
  [0x202d, ['LRO', 'left-to-right override']],
  [0x202e, ['RLO', 'right-to-left override']],
  [0x202f, ['NNBSP', 'narrow no-break space']],
  [0x2060, ['WJ', 'word joiner']],
  [0x2066, ['LRI', 'left-to-right isolate']],
  [0x2067, ['RLI', 'right-to-left isolate']],
  [0x2068, ['FSI', 'first strong isolate']],
  [0x2069, ['PDI', 'end of directional isolate']],
  [0x2800, ['BLANK', 'blank Braille pattern']],
  [0x3000, ['IDSP', 'ideographic space']],
  [0x3164, ['HF', 'Hangul filler']],
  [0xfeff, ['BOM', 'zero-width no-break space']],
  [0xffa0, ['HWHF', 'Hangul filler']],
  [0xe0001, ['LANG', 'language tag']],
  [0xe007f, ['TAG END', 'tag character']],
] as const)

const CATEGORIES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\p{Cc}/v, 'control character'],
  [/\p{Cf}/v, 'format character'],
  [/\p{Co}/v, 'private-use character'],
  [/\p{Cs}/v, 'lone surrogate'],
  [/\p{Cn}/v, 'unassigned character'],
  [/\p{Z}/v, 'unusual space'],
  [/\p{M}/v, 'combining mark'],
  [/\p{Ps}/v, 'bracket'],
  [/[\u1161-\u1175\u11a8-\u11c2]/v, 'part of a syllable'],
]

function categoryOf(character: string): string {
  const category = CATEGORIES.find(([pattern]) => pattern.test(character))?.[1]
  if (category !== undefined) return category
  return character.normalize('NFC') === character ? 'invisible character' : 'unusual spelling'
}
