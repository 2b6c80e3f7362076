/** `banksman journal verify` */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { type CheckpointFile, parseCheckpointFile } from '../../../journal/checkpoints/checkpoint-file.ts'
import { trustKeys } from '../../../journal/checkpoints/trusted-keys.ts'
import { readExport } from '../../../journal/export-journal.ts'
import { describeReport } from '../../../journal/verification/report-text.ts'
import { type JournalReport, verifyJournal } from '../../../journal/verification/verify-journal.ts'
import { openLocalJournal } from '../../../server/installation/open-local-journal.ts'
import { type Context, defineCommand, JSON_OPTION } from '../../command-line/command.ts'
import {
  CONNECTION_OPTIONS,
  type ConnectionValues,
  connect,
  dataFolderOf,
  isRemote,
} from '../../connection/connect.ts'
import { readTextFile } from '../../connection/read-text-file.ts'
import { CommandFailure, EXIT, usageError } from '../../output/failures.ts'
import { rendered, safeJson } from '../../output/safe-text.ts'

export const journalVerify = defineCommand({
  about: `Finds journal entries that were edited, removed, moved or inserted, and says up to which point that is proven.

Without options it reads the store in the data folder directly, whether or not a server runs, with the checkpoints beside it. That finds
damage and clumsy changes. Proof needs checkpoints that were kept where the server can't change them, and a public key from elsewhere: give them
with --checkpoints and --key.

With --url the server does the check; with --url and --checkpoints the server sends an export, which is verified here. The exit code
is 1 if anything is wrong.`,
  options: {
    export: {
      kind: 'text',
      value: 'FILE',
      about: 'verify an export (`journal export`) instead; - is standard input',
    },
    checkpoints: { kind: 'text', value: 'FILE', about: 'signed checkpoints that were kept elsewhere' },
    key: {
      kind: 'text',
      value: 'FILE',
      about:
        'the public key that signed the first of them, as PEM; of several servers, all of them in one file',
    },
    ...JSON_OPTION,
    ...CONNECTION_OPTIONS,
  },
  examples: [
    { line: 'banksman journal verify', about: 'the store in .banksman' },
    {
      line: 'banksman journal verify --export journal.ndjson --checkpoints kept.ndjson --key public.pem',
      about: 'anywhere, without the store',
    },
  ],
  async run({ values }, context) {
    const { terminal } = context
    const given = givenWitness(values, context)
    const report =
      values.export !== undefined
        ? await verifyJournal(readExport(linesOf(values.export, context)), given)
        : isRemote(values, context)
          ? await verifyRemote(values, context, given)
          : await verifyLocal(values, context, given)
    terminal.print(values.json ? safeJson(report, 2) : rendered(describeReport(report)).trimEnd())
    return report.ok ? EXIT.done : EXIT.failed
  },
})

/** What speaks for the journal from outside of it. */
type Witness = NonNullable<Parameters<typeof verifyJournal>[1]>

function givenWitness(
  values: { checkpoints?: string | undefined; key?: string | undefined },
  context: Context,
): Witness | undefined {
  if (values.checkpoints === undefined && values.key === undefined) return undefined
  if (values.checkpoints === undefined)
    throw usageError('--key needs --checkpoints: a key alone proves nothing')
  if (values.key === undefined) {
    throw usageError('--checkpoints needs --key: without the key that signed them, checkpoints prove nothing')
  }
  const file = parseCheckpointFile(readTextFile(resolve(context.cwd, values.checkpoints)))
  const [first] = file.damaged
  if (first !== undefined && file.checkpoints.length + file.rotations.length === 0)
    throw new CommandFailure('invalid', `checkpoints, line ${first.line}: ${first.why}`)
  tellDamaged(file, context)
  return witnessOf(file, readTextFile(resolve(context.cwd, values.key)))
}

function witnessOf({ checkpoints, rotations }: CheckpointFile, publicKey: string): Witness {
  return { checkpoints, keys: trustKeys(keysIn(publicKey), rotations) }
}

/** One file may have the keys of several servers, one after another. */
function keysIn(text: string): string[] {
  const keys = text.match(/-----BEGIN [^-]+-----[\s\S]*?-----END [^-]+-----/g)
  return keys ?? [text]
}

async function verifyLocal(
  values: ConnectionValues,
  context: Context,
  given: Witness | undefined,
): Promise<JournalReport> {
  const journal = await openLocalJournal(dataFolderOf(values, context), context.environment)
  try {
    tellDamaged(journal.checkpoints, context)
    const own =
      journal.publicKeys.length === 0 ? {} : witnessOf(journal.checkpoints, journal.publicKeys.join('\n'))
    if (given === undefined) {
      context.terminal.note(
        'The checkpoints and the key are from the data folder, beside the journal that they prove.',
      )
    }
    return await verifyJournal(journal.source, given ?? own)
  } finally {
    await journal.close()
  }
}

async function verifyRemote(
  values: ConnectionValues,
  context: Context,
  given: Witness | undefined,
): Promise<JournalReport> {
  const client = await connect(values, context)
  if (given !== undefined) return verifyJournal(readExport(client.exportJournal()), given)
  context.terminal.note("This is the server's own report. With --checkpoints and --key it is verified here.")
  return (await client.verifyJournal()) as unknown as JournalReport
}

/** Read as it is taken, and what goes wrong with the file comes out: `readline` would take it for the end. */
async function* linesOf(file: string, { cwd }: Context): AsyncGenerator<string, void> {
  const input = file === '-' ? process.stdin : createReadStream(resolve(cwd, file))
  let rest = ''
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function tellDamaged({ damaged }: CheckpointFile, { terminal }: Context): void {
  for (const { line, why } of damaged)
    terminal.note(`Line ${line} of the checkpoints is damaged (${why}) and proves nothing; the others count.`)
}
