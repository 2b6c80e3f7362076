/**
 * The journal as NDJSON, and back. The first line lists the chains and how long each is, so that an export that
 * was cut off shows; then comes one line for each entry, with its body as the text that was hashed.
 */

import { defined } from '../core/defined.ts'
import { BanksmanError } from '../core/errors.ts'
import { canonicalize, type JsonObject } from '../core/json/json.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { Entry, EntryType } from './entry.ts'
import type { ChainSize, JournalSource } from './journal-source.ts'
import { isCount } from './read-body.ts'

const FORMAT = 'banksman journal'

/** Gives lines without their ends. */
export async function* exportJournal(source: JournalSource): AsyncGenerator<string, void, undefined> {
  const chains = await source.chains()
  yield canonicalize({ v: 1, format: FORMAT, chains: chains.map(({ chain, last }) => ({ chain, last })) })
  for await (const { chain, n, type, request, version, body } of source.entries()) {
    yield canonicalize({ chain, n, type, request, version, body })
  }
}

/**
 * An export as a source. It is read as it is asked for, and can be read once.
 *
 * @param lines Without their ends, as `readline` gives them.
 */
export function readExport(lines: AsyncIterable<string> | Iterable<string>): JournalSource {
  const numbered = number(lines)
  let header: Promise<ChainSize[]> | undefined
  const chains = () => {
    header ??= numbered.next().then(({ value }) => readHeader(value))
    return header
  }
  return {
    chains,
    async *entries() {
      const lastOf = new Map((await chains()).map(({ chain, last }) => [chain, last]))
      for await (const line of numbered) {
        const entry = readEntry(line)
        if (entry.n > (lastOf.get(entry.chain) ?? 0)) fail(line, 'the first line does not know of it')
        yield entry
      }
    },
  }
}

interface ExportLine {
  text: string
  number: number
}

async function* number(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ExportLine, undefined, undefined> {
  let number = 0
  for await (const text of lines) {
    number += 1
    if (text.trim() !== '') yield { text, number }
  }
}

function readHeader(line: ExportLine | undefined): ChainSize[] {
  if (line === undefined)
    throw new BanksmanError('invalid', 'the export is empty; its first line should list the chains')
  const { v, format, chains } = parse(line)
  if (v !== 1 || format !== FORMAT || !Array.isArray(chains)) {
    fail(
      line,
      `this is no export of a journal: the first line should be {"chains": […], "format": "${FORMAT}", "v": 1}`,
    )
  }
  const names = new Set<string>()
  return chains.map((size) => {
    const { chain, last } = (size ?? {}) as { chain?: unknown; last?: unknown }
    if (typeof chain !== 'string' || !isCount(last))
      fail(line, 'a chain should be {chain, last}, with at least one entry')
    if (names.has(chain)) fail(line, `the chain ${JSON.stringify(chain)} is listed twice`)
    names.add(chain)
    return { chain, last }
  })
}

function readEntry(line: ExportLine): Entry {
  const { chain, n, type, request, version, body, ...others } = parse(line)
  if (typeof chain !== 'string' || typeof type !== 'string' || typeof body !== 'string') {
    fail(line, 'an entry should have the texts `chain`, `type` and `body`')
  }
  if (!isCount(n)) fail(line, 'an entry should have its number in `n`, from 1 up')
  if (request !== undefined && typeof request !== 'string') fail(line, '`request` should be a text')
  if (version !== undefined && !isCount(version)) fail(line, '`version` should be a number from 1 up')
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) fail(line, `unknown member ${JSON.stringify(unknown)}`)
  return {
    chain,
    n,
    // Not checked against the list: a newer version may know more types, and the body must say the same one.
    type: type as EntryType,
    ...defined({ request, version }),
    body,
  }
}

function parse(line: ExportLine): JsonObject {
  let value: unknown
  try {
    value = parseJson(line.text)
  } catch {
    fail(line, 'it is not JSON; the export may have been cut off here')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(line, 'it is not an object')
  return value as JsonObject
}

function fail(line: ExportLine, why: string): never {
  throw new BanksmanError('invalid', `export, line ${line.number}: ${why}`, { line: line.number })
}
