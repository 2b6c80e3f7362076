/** A process in between that only passes bytes on: what it costs to be there at all. */
import { spawn } from 'node:child_process'

const [program, ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.on('exit', (code) => process.exit(code ?? 0))
