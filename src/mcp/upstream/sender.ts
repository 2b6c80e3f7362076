/** Writes whole lines to a stream, one after the other, and waits while it is full. */
import type { Writable } from 'node:stream'

export function createSender(stream: Writable, gone: string): (bytes: Buffer) => Promise<void> {
  let failure: Error | undefined
  let waiting: { resolve(): void; reject(error: Error): void }[] = []
  const settle = (error?: Error) => {
    const all = waiting
    waiting = []
    for (const one of all) error === undefined ? one.resolve() : one.reject(error)
  }
  const fail = (cause?: Error) => {
    failure ??= new Error(gone, { cause })
    settle(failure)
  }
  stream.on('drain', () => settle())
  stream.on('error', fail)
  stream.on('close', () => fail())

  return (bytes) => {
    if (failure !== undefined) return Promise.reject(failure)
    if (stream.write(bytes)) return Promise.resolve()
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
}
