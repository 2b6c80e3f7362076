/**
 * Virtual time: a queue of events, each at its moment. One event is done at a time, and whatever promises it settles
 * have run to their next wait before the next one is: nothing here depends on how fast the machine is.
 */
export interface Scheduler {
  /** Milliseconds since the world began. */
  now(): number
  /** Does the work after the time has passed. The label is the line that the trace has for it. */
  after(delayMs: number, label: string, work: () => void): { cancel(): void }
  /** Does the next event; false when there is none. */
  step(): Promise<boolean>
  /** Resolves after the time. For those who are never killed: agents, people. */
  sleep(delayMs: number, label: string): Promise<void>
  /** A further line in the trace, about what happens in this step. */
  note(line: string): void
  readonly trace: readonly string[]
  steps(): number
}

interface Event {
  at: number
  /** Events of one moment are done in the order in which they were planned. */
  order: number
  label: string
  work: (() => void) | undefined
}

export function createScheduler(): Scheduler {
  const heap: Event[] = []
  const trace: string[] = []
  let now = 0
  let order = 0
  let steps = 0

  function after(delayMs: number, label: string, work: () => void): { cancel(): void } {
    const event: Event = { at: now + Math.max(0, Math.round(delayMs)), order: order++, label, work }
    push(heap, event)
    return {
      cancel() {
        event.work = undefined
      },
    }
  }

  return {
    now: () => now,
    after,
    async step() {
      for (let event = pop(heap); event !== undefined; event = pop(heap)) {
        const { work } = event
        if (work === undefined) continue
        now = event.at
        steps++
        trace.push(`${now} ${event.label}`)
        work()
        await settled()
        return true
      }
      return false
    },
    sleep: (delayMs, label) => new Promise((resolve) => void after(delayMs, label, resolve)),
    note: (line) => void trace.push(`${now}   ${line}`),
    trace,
    steps: () => steps,
  }
}

/** One turn of the event loop: by then every promise that could go on by itself has. Nothing in a world uses a real timer. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

function push(heap: Event[], event: Event): void {
  let index = heap.push(event) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(event, heap[parent]!)) break
    heap[index] = heap[parent]!
    index = parent
  }
  heap[index] = event
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, last)) break
    heap[index] = heap[child]!
    index = child
  }
  heap[index] = last
  return first
}
