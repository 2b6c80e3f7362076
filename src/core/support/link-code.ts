/**
 * The one-time code that ties a chat account to a person: sixteen letters and digits of Crockford's base 32, which are 80 bits. No
 * letter can be taken for another: I and L are read as 1, O as 0, and there is no U.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
const GROUP = 4
const SHAPE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
/** A code with a word before it, and with a space after every letter, is shorter. */
const MAX_TEXT = 100
/** What a link of Telegram's sends, or what people write before it, such as the bot's name in a group. */
const WORD = /^(?:@\w+\s+)?(?:(?:\/start(?:@\w+)?|\/?link|关联)\s+)?/iu

/** How many random bytes a code is made of. */
export const LINK_CODE_BYTES = LENGTH

/** As people are shown it: `7K3M-…`. Its letters are as random as the bytes are. */
export function makeLinkCode(bytes: Uint8Array): string {
  const letters = [...bytes.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
}

/** The code that a text is, without hyphens and in capitals. Undefined: the text is something else. */
export function readLinkCode(text: string): string | undefined {
  if (text.length > MAX_TEXT) return undefined
  const written = text.trim().replace(WORD, '').replaceAll(/[\s-]/g, '').toUpperCase()
  const code = written.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return SHAPE.test(code) ? code : undefined
}
