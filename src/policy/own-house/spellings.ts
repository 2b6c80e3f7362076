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

function readingsOf(text: string): string[] {
  const readings = [text]
  if (text.includes('\\')) readings.push(text.replaceAll('\\', '/'))
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
