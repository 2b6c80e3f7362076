/** What a look at an installation found, for `banksman doctor`: its files, its store, the server behind that. */
import { defined } from '../defined.ts'

export interface Finding {
  kind: 'ok' | 'warning' | 'problem'
  /** What was looked at. */
  about: string
  detail: string
  /** What to do. */
  advice?: string
}

type MakeFinding = (detail: string, advice?: string) => Finding

/** Makes findings about one thing. */
export function findingsAbout(about: string): Record<Finding['kind'], MakeFinding> {
  const make =
    (kind: Finding['kind']): MakeFinding =>
    (detail, advice) => ({ kind, about, detail, ...defined({ advice }) })
  return { ok: make('ok'), warning: make('warning'), problem: make('problem') }
}
