/** Spans of time in `banksman.yaml`, in milliseconds once they are read. */
import { z } from 'zod'
import { durationIn, parseDuration } from '../../core/time/duration.ts'

export const duration = durationAs('30d')
/** The same, where people wait. */
export const shortDuration = durationAs('60s')

function durationAs(example: string) {
  return z
    .string()
    .refine(
      (text) => durationIn(text) !== undefined,
      `must be a number with a unit: ms, s, m, h or d, as in ${example}, and at most 3650d`,
    )
    .transform(parseDuration)
}
