/**
 * Stands in front of a program and writes down what it is sent: `node record-input.ts <file> <command> [words]`. The program's process id is in
 * `<file>.pid`. Ends with it.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'

const [file = '', command = '', ...words] = process.argv.slice(2)
const child = spawn(command, words, { stdio: ['pipe', 'inherit', 'inherit'] })
writeFileSync(`${file}.pid`, String(child.pid))
process.stdin.on('data', (chunk) => {
  appendFileSync(file, chunk)
  child.stdin.write(chunk)
})
process.stdin.on('end', () => child.stdin.end())
child.stdin.on('error', () => {})
child.on('close', (code) => process.exit(code ?? 1))
