/**
 * Whether a decimal number keeps its value when it becomes a double. `12345678901234567890` does not: it comes
 * out as 12345678901234567000, so a person would approve another number than the one that was sent (P3).
 */

/**
 * True when the shortest decimal form of the double is this very number, however it is written: `1.0`, `1e2` and
 * `-0` do survive. The literal must be a JSON number.
 */
export function survivesDouble(literal: string): boolean {
  // The usual case. A double holds every decimal number of fifteen digits, and no short one is out of its range.
  if (literal.length <= 15 && !/[eE]/.test(literal)) return true
  const shortest = String(Number(literal))
  if (shortest === literal) return true
  const written = decimalOf(literal)
  if (written.digits === '') return true
  if (shortest.endsWith('Infinity')) return false
  const kept = decimalOf(shortest)
  return kept.digits === written.digits && kept.power === written.power
}

/** Digits that neither begin nor end with 0 (none for zero), and the power of ten of the last one. */
interface Decimal {
  digits: string
  power: number
}

function decimalOf(literal: string): Decimal {
  const [mantissa = '', exponent = '0'] = literal.replace(/^-/, '').split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  let end = all.length
  while (end > 0 && all[end - 1] === '0') end--
  let start = 0
  while (start < end && all[start] === '0') start++
  return { digits: all.slice(start, end), power: Number(exponent) - fraction.length + (all.length - end) }
}
