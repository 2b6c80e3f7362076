/** The Python of this machine. `scripts/setup.mjs` installs none: most systems have one. */
import { basename, dirname, join } from 'node:path'
import { folderOf, missing } from '../servers/child-server.ts'

const wanted = process.env.BANKSMAN_PYTHON
const program = wanted === undefined ? 'python3' : basename(wanted)
const folder = folderOf(program, wanted === undefined ? [] : [dirname(wanted)])

export const noPython = missing('Python', 'BANKSMAN_PYTHON', folder)
export const python = join(folder ?? '', program)
