/** The faults that come by themselves: nodes that die or stand still, connections that break, clocks that jump. */
import type { FaultKind } from './faults.ts'
import type { Machine } from './machine.ts'
import type { World } from './world.ts'

/** Whoever is told to close and does not is killed after this time, as a host would do. */
const CLOSES_WITHIN_MS = 8000

export function startFaults(world: World): void {
  const { scheduler, random, faults } = world

  /** Again and again, about every `everyMs` where it strikes as often as it can. */
  function again(kind: FaultKind, everyMs: number, act: (machine: Machine) => boolean): void {
    const rate = faults.rate(kind)
    if (rate === 0) return
    const delayMs = random.between(100, Math.min((2 * everyMs) / rate, 20_000))
    scheduler.after(delayMs, kind, () => {
      if (faults.isQuiet()) return
      if (act(random.pick(world.machines))) faults.count(kind)
      again(kind, everyMs, act)
    })
  }

  again('node crashed', 3000, (machine) => {
    if (machine.life === undefined) return false
    scheduler.note(`${machine.name} crashes`)
    machine.crash()
    scheduler.after(random.between(100, 6000), `${machine.name} starts`, machine.start)
    return true
  })
  again('node closed', 4000, (machine) => {
    const { life } = machine
    if (life?.gateway === undefined) return false
    const { gateway } = life
    scheduler.note(`${machine.name} is told to close`)
    const end = () => {
      if (machine.life !== life) return
      scheduler.note(`${machine.name} is closed`)
      machine.crash()
      scheduler.after(random.between(100, 3000), `${machine.name} starts`, machine.start)
    }
    life.enter(() => void gateway.close().then(end))
    scheduler.after(CLOSES_WITHIN_MS, `${machine.name} had its time to close`, end)
    return true
  })
  again('node paused', 3000, (machine) => {
    if (machine.life === undefined || machine.life.isPaused()) return false
    scheduler.note(`${machine.name} stands still`)
    machine.pause()
    // Most of them for longer than any lease.
    scheduler.after(random.between(500, 9000), `${machine.name} resumes`, machine.resume)
    return true
  })
  again('store cut off', 3000, (machine) => breakLink(machine, 'cut'))
  again('watch cut off', 2000, (machine) => breakLink(machine, 'deafen'))
  again('node clock jumped', 2000, (machine) => {
    machine.jumpClock(random.between(-120_000, 120_000))
    return true
  })
  again('store clock jumped', 4000, () => {
    world.shared.jump(random.pick([50, 1000, 4000, 12_000, 601_000]))
    return true
  })
  again('facts changed', 2500, () => {
    world.facts++
    return true
  })

  function breakLink(machine: Machine, how: 'cut' | 'deafen'): boolean {
    const { life } = machine
    if (life === undefined) return false
    scheduler.note(`${machine.name}: ${how}`)
    life.link[how]()
    scheduler.after(random.between(100, 6000), `${machine.name} is connected again`, () => life.link.mend())
    return true
  }
}

/** Nothing fails any more, and what has failed is put right. */
export function endFaults(world: World): void {
  world.faults.quieten()
  for (const machine of world.machines) {
    machine.start()
    machine.resume()
    machine.life?.link.mend()
  }
}
