/** A reason with its texts changed, at every depth. */
import type { Reason, ReasonValue } from './reason.ts'

type MapText = (text: string) => string

/** The same reason with other texts in it: as they are shown, or masked. */
export function mapTexts(reason: Reason, map: MapText): Reason {
  return mapped(reason, map, 0)
}

function mapped({ code, values }: Reason, map: MapText, depth: number): Reason {
  if (values === undefined || depth > DEEPEST) return { code: map(code) }
  const shown = Object.entries(values).map(([name, value]) => [map(name), mappedValue(value, map, depth)])
  return { code: map(code), values: Object.fromEntries(shown) }
}

function mappedValue(value: ReasonValue, map: MapText, depth: number): ReasonValue {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object') return value
  if (isList(value)) return depth > DEEPEST ? [] : value.map((item) => mappedValue(item, map, depth + 1))
  return mapped(value, map, depth + 1)
}

/** Ours are never so deep. */
const DEEPEST = 8

function isList(value: Reason | readonly ReasonValue[]): value is readonly ReasonValue[] {
  return Array.isArray(value)
}
