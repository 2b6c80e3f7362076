/**
 * A hostile call is kept as the recipe it is made from, not as its megabyte of text: it fits on a screen, it can be put
 * into a file and run again, and it can be made smaller by halving its numbers.
 */
import { type Random, seededRandom } from './random.ts'

/** Any JSON, with these objects in it in the place of long texts, lists and objects. */
export type Recipe = null | boolean | number | string | Recipe[] | { [key: string]: Recipe }

/**
 * `{ $repeat, times }` is a text many times over, `{ $number, times }` the same with its number for each `#`, `{ $join }` texts behind one another, `{ $pick, seed, times }` that many
 * texts out of a list, `{ $list, times }` and `{ $keys, value, times }` a list and an object with many members (`#` in
 * their texts is the number of the member), `{ $nest, value, times }` objects (or lists, where `$nest` is empty) in one
 * another.
 */
export function build(recipe: Recipe, index = 0): unknown {
  if (typeof recipe === 'string') return recipe.includes('#') ? recipe.replaceAll('#', String(index)) : recipe
  if (typeof recipe !== 'object' || recipe === null) return recipe
  if (Array.isArray(recipe)) return recipe.map((each) => build(each, index))
  const times = Math.max(0, Number(recipe.times ?? 1))
  if (recipe.$repeat !== undefined) return text(recipe.$repeat, index).repeat(times)
  if (recipe.$number !== undefined)
    return Array.from({ length: times }, (_, at) => text(recipe.$number as Recipe, at)).join('')
  if (recipe.$join !== undefined) return (recipe.$join as Recipe[]).map((part) => text(part, index)).join('')
  if (recipe.$pick !== undefined)
    return pick(recipe.$pick as string[], seededRandom(Number(recipe.seed)), times)
  if (recipe.$list !== undefined)
    return Array.from({ length: times }, (_, at) => build(recipe.$list as Recipe, at))
  if (recipe.$keys !== undefined)
    return Object.fromEntries(
      Array.from({ length: times }, (_, at) => [
        text(recipe.$keys as Recipe, at),
        build(recipe.value ?? null, at),
      ]),
    )
  if (recipe.$nest !== undefined) {
    let inner = build(recipe.value ?? null, index)
    const key = text(recipe.$nest, index)
    for (let depth = 0; depth < times; depth++) inner = key === '' ? [inner] : { [key]: inner }
    return inner
  }
  return Object.fromEntries(Object.entries(recipe).map(([key, value]) => [key, build(value, index)]))
}

/** The same with half of each number; undefined where there is nothing left to halve. */
export function halve(recipe: Recipe): Recipe | undefined {
  let isHalved = false
  const halved = map(recipe)
  return isHalved ? halved : undefined

  function map(value: Recipe): Recipe {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(map)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key !== 'times' || typeof member !== 'number' || member < 2) return [key, map(member)]
        isHalved = true
        return [key, Math.floor(member / 2)]
      }),
    )
  }
}

function text(recipe: Recipe, index: number): string {
  return String(build(recipe, index))
}

function pick(of: readonly string[], random: Random, times: number): string {
  let out = ''
  for (let count = 0; count < times; count++) out += of[random.below(of.length)] ?? ''
  return out
}
