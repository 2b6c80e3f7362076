/** Which schema is which type. `npm run generate:wire` writes `wire/types/` from this; nothing at run time reads it. */
import { z } from 'zod'

/** `from`: the type is declared there, below `src/`, and is imported. `''`: it is one of TypeScript's own. */
export const typeNames = z.registry<{ name: string; from?: string }>()

/** A type of its own: it is declared in `wire/types/`, in the file with the name of this schema's file. */
export function named<S extends z.ZodType>(name: string, schema: S): S {
  typeNames.add(schema, { name })
  return schema
}

type ObjectShape = z.core.$ZodLooseShape

/** What follows a name: the members, or what is said of them and then the members. */
type Members<S extends ObjectShape> = [shape: S] | [about: string, shape: S]

/** An object with a name. */
export function object<S extends ObjectShape>(name: string, ...members: Members<S>) {
  return named(name, described(z.object(members.at(-1) as S), members))
}

/** An object with a name, without any members but these: what programs send. */
export function strictObject<S extends ObjectShape>(name: string, ...members: Members<S>) {
  return named(name, described(z.strictObject(members.at(-1) as S), members))
}

function described<S extends z.ZodType>(schema: S, [about]: Members<ObjectShape>): S {
  return typeof about === 'string' ? schema.describe(about) : schema
}

export function optional<S extends z.ZodType>(schema: S, about: string): z.ZodExactOptional<S> {
  return z.exactOptional(schema).describe(about)
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
