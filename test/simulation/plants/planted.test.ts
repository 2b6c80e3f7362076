/** The simulator finds bugs: those that are planted into a copy of the source. All of them: `npm run simulate -- --planted`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../../architecture/source-files.ts'
import { findPlants, plantInto } from './find-plants.ts'
import { PLANTS } from './plants.ts'

const SEEDS = 100

describe('planted bugs', () => {
  it.each(PLANTS)('$name: has its place in the source', (plant) => {
    const text = readFileSync(join(ROOT, plant.file), 'utf8')
    expect(plantInto(text, plant)).not.toBe(text)
  })

  it('one that has no place any more is told of', () => {
    const plant = { ...PLANTS[0]!, find: 'what nobody wrote' }
    expect(() => plantInto('something else', plant)).toThrow(/it is there 0 times instead of once/)
    expect(() => plantInto('what nobody wrote, what nobody wrote', plant)).toThrow(/2 times/)
  })

  it('those that show soon are found, as breaking the promise that they break', async () => {
    const plants = PLANTS.filter((plant) => plant.isQuick)
    expect(plants.length).toBeGreaterThanOrEqual(12)
    const found = await findPlants({ seeds: SEEDS, plants })
    const expected = plants.map(({ name, promises }) => ({ name, promise: expect.toBeOneOf(promises) }))
    const named = found.map(({ name, broken }) => ({ name, promise: broken?.promise ?? 'not found' }))
    expect(named).toEqual(expect.arrayContaining(expected))
  }, 300_000)
})
