/**
 * The corpus: shell lines by class, with the verdict that two policies must give. It is data, so that a line from the
 * next report of an approval that was talked around is one more entry and no code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { filesBelow, ROOT } from '../architecture/source-files.ts'

export type Column = 'verdict' | 'starter'

export interface CorpusLine {
  line: string
  /** Under the lists. Absent where the lists allow by their letter what is an attack under the starter policy. */
  verdict?: VerdictKind | undefined
  /** Under the starter policy. */
  starter?: VerdictKind | undefined
  note?: string | undefined
}

export interface CorpusClass {
  kind: 'attacks' | 'harmless'
  path: string
  class: string
  about: string
  lines: CorpusLine[]
}

export type VerdictKind = z.infer<typeof VerdictKind>

const FOLDER = 'test/shell-corpus'

const VerdictKind = z.enum(['allow', 'ask', 'deny'])

const ClassFile = z.strictObject({
  class: z.string(),
  about: z.string(),
  lines: z.array(
    z.strictObject({
      line: z.string(),
      verdict: VerdictKind.optional(),
      starter: VerdictKind.optional(),
      note: z.string().optional(),
    }),
  ),
})

const PolicyFile = z.strictObject({
  lists: z.record(z.string(), z.json()),
  starter: z.record(z.string(), z.json()),
  machine: z.strictObject({
    workspace: z.string(),
    home: z.string(),
    links: z.record(z.string(), z.string()),
  }),
})

export function readCorpus(): CorpusClass[] {
  return (['attacks', 'harmless'] as const).flatMap((kind) =>
    filesBelow(`${FOLDER}/${kind}`).map((path) => ({
      kind,
      path,
      ...ClassFile.parse(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))),
    })),
  )
}

export function readPolicies(): z.infer<typeof PolicyFile> {
  return PolicyFile.parse(parse(readFileSync(join(ROOT, FOLDER, 'policy.yaml'), 'utf8')))
}
