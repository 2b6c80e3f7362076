import { BanksmanError } from '../../core/errors.ts'

/** A word for any POSIX shell, the smallest too. What only some of them could be given is refused. */
export function shellWord(text: string): string {
  if (/[\0-\x1f\x7f]/.test(text) || !text.isWellFormed())
    throw new BanksmanError('invalid', `${JSON.stringify(text)} has a character that can't be in a script`)
  return `'${text.replaceAll("'", "'\\''")}'`
}
