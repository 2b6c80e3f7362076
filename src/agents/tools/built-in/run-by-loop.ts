/** Tools that are part of the loop itself: models see them like any other, and the loop does their work. */
import { BanksmanError } from '../../../core/errors.ts'
import type { ToolOutcome } from '../tool.ts'

export const RUN_BY_LOOP = async (): Promise<ToolOutcome> => {
  throw new BanksmanError('internal', 'the loop does this tool’s work; it was run as if it were any other')
}
