/**
 * The three words of `toolApprovalMode`, with the meaning that their guide gives them. The program that they come from
 * did otherwise: there `DISABLED` switched the asking off, and every tool ran.
 */
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { beginImport, describe, type Imported, quoted, refuse } from './imported.ts'

const WORDS = ['AUTO', 'REQUIRE_APPROVAL', 'DISABLED']

export function importToolApprovalMode(value: unknown): Imported {
  const { note, add, done } = beginImport()
  // Spring binds `require-approval` to the same word.
  switch (typeof value === 'string' ? value.trim().toUpperCase().replaceAll('-', '_') : value) {
    case 'AUTO':
      note('', 'changed', reasonOf('note.auto-mode'))
      return done({ mode: 'bypass' })
    case 'REQUIRE_APPROVAL':
      return done({ mode: 'default' })
    case 'DISABLED':
      note('', 'stricter', reasonOf('note.disabled-mode'))
      add('deny', '*', '')
      return done({})
    default:
      return refuse(
        reasonOf('foreign.one-of', {
          what: 'toolApprovalMode',
          words: WORDS,
          found: typeof value === 'string' ? quoted(value) : describe(value),
        }),
        '',
      )
  }
}
