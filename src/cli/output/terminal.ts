/**
 * Where a command reads and writes. Results go to standard output, everything else to standard error, so that a
 * result can be piped. Colours are our own and only where a person looks at a terminal that wants them.
 */
import type { Locale } from '../../display/words/rendering-words.ts'

export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan'
export type Paint = (style: TextStyle, text: string) => string

export interface Terminal {
  /** Somebody sits there: both ends are a terminal. */
  readonly isInteractive: boolean
  /** Of standard output; undefined where that is no terminal. */
  readonly columns: number | undefined
  readonly locale: Locale
  readonly paint: Paint
  /** A line of the result. */
  print(text: string): void
  /** A line beside the result. */
  note(text: string): void
  /** Asks for a line. Only where it is interactive. Undefined when the input has ended or was interrupted. */
  ask(question: string): Promise<string | undefined>
  /** The same, for what must not be seen: nothing that is typed is shown. */
  askSecret(question: string): Promise<string | undefined>
}

/** Somebody who answers sooner has not read the question: it was typed before it was there. */
export const READING_MS = 500

const DEFAULT_COLUMNS = 80

export function createTerminal(environment: Record<string, string | undefined>): Terminal {
  const { stdin, stdout, stderr } = process
  const isInteractive = stdin.isTTY === true && stdout.isTTY === true
  // Both, since lines of either may be painted, and a file must not get escape codes.
  const isSeen = stdout.isTTY === true && stderr.isTTY === true
  const isColored = isSeen && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return {
    isInteractive,
    get columns() {
      // A terminal that was never given a size says 0.
      return stdout.isTTY ? stdout.columns || DEFAULT_COLUMNS : undefined
    },
    locale: localeOf(environment),
    paint: isColored ? (style, text) => `\u001b[${CODES[style]}m${text}\u001b[0m` : (_, text) => text,
    print: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    ask: askOnce,
    askSecret,
  }

  async function askSecret(question: string): Promise<string | undefined> {
    const [{ createInterface }, { Writable }] = await Promise.all([
      import('node:readline/promises'),
      import('node:stream'),
    ])
    const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
    // From here on the terminal repeats nothing. Only then the question is there to be answered.
    const lines = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 })
    const stop = new AbortController()
    lines.once('close', () => stop.abort())
    lines.once('SIGINT', () => stop.abort())
    stderr.write(question)
    try {
      return (await lines.question('', { signal: stop.signal })).trim()
    } catch {
      return undefined
    } finally {
      lines.close()
      stderr.write('\n')
    }
  }

  async function askOnce(question: string): Promise<string | undefined> {
    const { createInterface } = await import('node:readline/promises')
    for (;;) {
      const lines = createInterface({ input: stdin, output: stderr })
      const stop = new AbortController()
      lines.once('close', () => stop.abort())
      lines.once('SIGINT', () => stop.abort())
      const askedAt = performance.now()
      try {
        const line = await lines.question(question, { signal: stop.signal })
        if (performance.now() - askedAt >= READING_MS) return line.trim()
        stderr.write('That was typed before the question appeared; please answer again.\n')
      } catch {
        stderr.write('\n')
        return undefined
      } finally {
        lines.close()
      }
    }
  }
}

function localeOf({ LC_ALL, LC_MESSAGES, LANG }: Record<string, string | undefined>): Locale {
  return [LC_ALL, LC_MESSAGES, LANG]
    .find((value) => value)
    ?.toLowerCase()
    .startsWith('zh')
    ? 'zh'
    : 'en'
}

const CODES: Readonly<Record<TextStyle, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  magenta: 35,
  cyan: 36,
}
