/** `node --import` this: the programs that tests start get the same modules as the tests themselves. */
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { FOLDER, packedModule } from './packed-modules.ts'

const HERE = pathToFileURL(join(FOLDER, 'package.json')).href

registerHooks({
  resolve(name, context, next) {
    const { parentURL } = context
    const packed = parentURL?.startsWith('file:')
      ? packedModule(name, dirname(fileURLToPath(parentURL)))
      : undefined
    return packed === undefined ? next(name, context) : next(packed, { ...context, parentURL: HERE })
  },
})
