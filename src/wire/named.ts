/** Which schema is which type. `npm run generate:wire` writes `wire/types/` from this; nothing at run time reads it. */
import { z } from 'zod'

/** `from`: the type is declared there, below `src/`, and is imported. `''`: it is one of TypeScript's own. */
export const typeNames = z.registry<{ name: string; from?: string }>()

/** A type of its own: it is declared in `wire/types/`, in the file with the name of this schema's file. */
export function named<S extends z.ZodType>(name: string, schema: S): S {
  typeNames.add(schema, { name })
  return schema
}

/** A noun that core declares. `test/types/wire.test.ts` has the compiler compare both. */
export function ofCore<S extends z.ZodType>(name: string, from: string, schema: S): S {
  typeNames.add(schema, { name, from: `core/${from}` })
  return schema
}

/** Text on the wire, such as a number in a query, which the client's callers give as the type it stands for. */
export function written<S extends z.ZodType>(name: 'number' | 'boolean' | 'string', schema: S): S {
  typeNames.add(schema, { name, from: '' })
  return schema
}
