/**
 * Which files a search looks at: `*` is anything within a name, `?` one character of it, `**` any number of folders, `{a,b}`
 * one of several. A pattern without a slash is about a file's name, wherever it is. It only chooses among what is below the
 * folder that is searched, so whatever would lead out of it is refused. No text makes it slow: each star is tried again only
 * until the next one.
 */
import { ToolError } from '../../tool.ts'

const MAX_LENGTH = 256
const MAX_CHOICES = 64

export function compileFileGlob(pattern: string): (name: string) => boolean {
  if (pattern.length > MAX_LENGTH) throw new ToolError(`a glob has at most ${MAX_LENGTH} characters`)
  const written = choices(pattern)
  const leadsOut = written.some((one) => /^[/~]/.test(one) || one.split('/').includes('..'))
  if (leadsOut || /[\\[\]()!\0]/.test(pattern)) {
    throw new ToolError(
      `${JSON.stringify(pattern)} is no glob that can be used: it takes *, ** and ? and {a,b}, below path, without .. and without a / at the beginning`,
    )
  }
  const globs = written.map((one) =>
    one
      .replace(/^(?:\.\/)+/, '')
      .split('/')
      .filter((step) => step !== ''),
  )
  const isAboutNames = globs.every((steps) => steps.length === 1 && steps[0] !== '**')
  return (name) => {
    const steps = name.split('/')
    const looked = isAboutNames ? steps.slice(-1) : steps
    return globs.some((glob) => matchesSteps(glob, looked))
  }
}

/** `a.{b,c}` is `a.b` and `a.c`. Braces in braces are not read. */
function choices(pattern: string): string[] {
  const open = pattern.indexOf('{')
  if (open === -1) {
    if (pattern.includes('}')) throw unbalanced(pattern)
    return [pattern]
  }
  const close = pattern.indexOf('}', open)
  const inner = pattern.slice(open + 1, close)
  if (close === -1 || inner.includes('{')) throw unbalanced(pattern)
  const rests = choices(pattern.slice(close + 1))
  const out = inner
    .split(',')
    .flatMap((choice) => rests.map((rest) => pattern.slice(0, open) + choice + rest))
  if (out.length > MAX_CHOICES) throw new ToolError(`a glob has at most ${MAX_CHOICES} choices in its braces`)
  return out
}

function unbalanced(pattern: string): ToolError {
  return new ToolError(`${JSON.stringify(pattern)}: every { needs a }, and there are no braces within braces`)
}

/** `**` among folders is what `*` is among characters. */
function matchesSteps(glob: readonly string[], steps: readonly string[]): boolean {
  return matchesWithStars(
    glob.length,
    steps.length,
    (index) => glob[index] === '**',
    (index, at) => matchesName(glob[index]!, steps[at]!),
  )
}

function matchesName(glob: string, name: string): boolean {
  return matchesWithStars(
    glob.length,
    name.length,
    (index) => glob[index] === '*',
    (index, at) => glob[index] === '?' || glob[index] === name[at],
  )
}

/** Only the last star need ever be tried again: what an earlier one could take more of, the later one can too. */
function matchesWithStars(
  patternLength: number,
  length: number,
  isStar: (index: number) => boolean,
  fits: (index: number, at: number) => boolean,
): boolean {
  let index = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < length) {
    if (index < patternLength && isStar(index)) {
      star = index++
      starAt = at
    } else if (index < patternLength && fits(index, at)) {
      index++
      at++
    } else if (star !== -1) {
      index = star + 1
      at = ++starAt
    } else {
      return false
    }
  }
  while (index < patternLength && isStar(index)) index++
  return index === patternLength
}
