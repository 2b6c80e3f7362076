/** Stands in front of a program and writes down what it says: `node record-output.ts <file> <command> [words]`. Ends with it. */
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const [file = '', command = '', ...words] = process.argv.slice(2)
const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] })
child.stdout.on('data', (chunk) => {
  appendFileSync(file, chunk)
  process.stdout.write(chunk)
})
process.stdin.on('data', (chunk) => child.stdin.write(chunk))
process.stdin.on('end', () => child.stdin.end())
child.stdin.on('error', () => {})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal))
child.on('close', (code) => process.exit(code ?? 1))
