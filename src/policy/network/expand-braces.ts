/** What `{a,b}.com` and `web[1-3].com` come to. */

const MOST = 64

/** Undefined where it comes to too much, or is not understood. `ranges`: `[1-3]` and `[a-c]` too, as curl has them. */
export function expandBraces(text: string, ranges = false): string[] | undefined {
  let done = ['']
  let rest = text
  for (let count = 0; rest !== '' && count < MOST; count++) {
    const [whole = '', plain = '', braces, range] =
      /^([^{}[\]]*)(?:\{([^{}[\]]*)\}|\[([^{}[\]]*)\])?/.exec(rest) ?? []
    if (whole === '') return undefined
    const inner =
      braces === undefined
        ? range === undefined
          ? ['']
          : ranges
            ? rangeOf(range, '-')
            : undefined
        : setOf(braces)
    if (inner === undefined || done.length * inner.length > MOST) return undefined
    done = done.flatMap((one) => inner.map((each) => one + plain + each))
    rest = rest.slice(whole.length)
  }
  return rest === '' ? done : undefined
}

function setOf(text: string): string[] | undefined {
  return text.includes(',') ? text.split(',') : rangeOf(text, '..')
}

function rangeOf(text: string, between: string): string[] | undefined {
  const [from = '', to = '', ...more] = text.split(between)
  if (more.length > 0) return undefined
  if (/^[a-z]$/i.test(from) && /^[a-z]$/i.test(to)) {
    return counted(from.charCodeAt(0), to.charCodeAt(0))?.map((code) => String.fromCharCode(code))
  }
  if (!/^\d{1,9}$/.test(from) || !/^\d{1,9}$/.test(to)) return undefined
  const width = from.startsWith('0') ? from.length : 0
  return counted(Number(from), Number(to))?.map((number) => String(number).padStart(width, '0'))
}

function counted(from: number, to: number): number[] | undefined {
  const [low, high] = from < to ? [from, to] : [to, from]
  return high - low >= MOST ? undefined : Array.from({ length: high - low + 1 }, (_, more) => low + more)
}
