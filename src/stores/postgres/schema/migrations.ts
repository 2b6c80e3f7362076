/**
 * The schema, as numbered steps that only ever add. A step that has been released is never edited.
 *
 * Several nodes run on one schema, and while they are updated one by one the old and the new ones run side by side. A
 * step therefore must leave everything working that an older node does: it may add tables, indexes and functions, and
 * columns that have a default; it must not rename or remove any, forbid a value that was allowed, or give one a new
 * meaning. A function is never replaced: its name ends in a version, what behaves otherwise is `…_v2`, and the old one
 * stays. A node that runs goes on after a newer one has added a step; one that starts refuses a schema that it does not know.
 *
 * Nothing outside the schema is touched, and no extension is needed.
 */
import { firstApply, secondApply } from '../sql/apply.ts'
import { GRANT_AND_SESSION_FUNCTIONS } from '../sql/grants-and-sessions.ts'
import { GROUND_FUNCTIONS } from '../sql/ground.ts'
import { holdFunctions } from '../sql/holds.ts'
import { PEOPLE_FUNCTIONS } from '../sql/people.ts'
import { readFunctions } from '../sql/reads.ts'
import { RECORD_FUNCTIONS } from '../sql/records.ts'
import { REQUEST_FUNCTIONS } from '../sql/requests.ts'
import { TABLES } from '../sql/tables.ts'

/** Each is given the schema's name as SQL writes it, and runs with the schema first in the search path. */
export const MIGRATIONS: readonly ((schema: string) => string)[] = [
  (schema) =>
    [
      TABLES,
      GROUND_FUNCTIONS,
      REQUEST_FUNCTIONS,
      GRANT_AND_SESSION_FUNCTIONS,
      PEOPLE_FUNCTIONS,
      firstApply(schema),
      readFunctions(schema),
    ].join('\n'),
  // Calls that follow others, who took an allowed call to run, results of tools, and records.
  (schema) => [holdFunctions(schema), RECORD_FUNCTIONS, secondApply(schema)].join('\n'),
]
