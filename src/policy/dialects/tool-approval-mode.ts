/**
 * The three words of `toolApprovalMode`, with the meaning that their guide gives them. The program that they come from
 * did otherwise: there `DISABLED` switched the asking off, and every tool ran.
 */
import { beginImport, describe, type Imported, quoted, refuse } from './imported.ts'

const WORDS = ['AUTO', 'REQUIRE_APPROVAL', 'DISABLED']

export function importToolApprovalMode(value: unknown): Imported {
  const { note, add, done } = beginImport()
  // Spring binds `require-approval` to the same word.
  switch (typeof value === 'string' ? value.trim().toUpperCase().replaceAll('-', '_') : value) {
    case 'AUTO':
      note(
        '',
        'changed',
        'AUTO runs every tool by itself, which is mode: bypass here; what you deny is still denied. `extends: banksman:starter` with mode: default lets through what only reads, and is the better start',
      )
      return done({ mode: 'bypass' })
    case 'REQUIRE_APPROVAL':
      return done({ mode: 'default' })
    case 'DISABLED':
      note(
        '',
        'stricter',
        'DISABLED is read as its guide has it: no tool runs. The program itself took it for "no approval" and ran every tool; if that is what you had, write mode: bypass, or better `extends: banksman:starter`',
      )
      add('deny', '*', '')
      return done({})
    default:
      return refuse(
        `toolApprovalMode must be one of ${WORDS.join(', ')}; found ${typeof value === 'string' ? quoted(value) : describe(value)}`,
        '',
      )
  }
}
