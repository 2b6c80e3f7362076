/**
 * On how many cases a property is tried whose cases take long. `npm test` tries few, for everybody runs it all day and each
 * run draws others; with BANKSMAN_PROPERTY_RUNS=20 it is twenty times as many.
 */
export function runs(usual: number): number {
  return usual * TIMES
}

const TIMES = Number(process.env.BANKSMAN_PROPERTY_RUNS ?? 1)
if (!Number.isSafeInteger(TIMES) || TIMES < 1)
  throw new Error(
    `BANKSMAN_PROPERTY_RUNS says how many times as many cases are tried, as in BANKSMAN_PROPERTY_RUNS=20; it is ${JSON.stringify(process.env.BANKSMAN_PROPERTY_RUNS)}`,
  )
