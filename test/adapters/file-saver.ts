/** LangGraph's checkpoints in a file, written after every step, so that another process can go on. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { MemorySaver } from '@langchain/langgraph'

export class FileSaver extends MemorySaver {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
    if (existsSync(path)) Object.assign(this, deserialize(readFileSync(path)))
  }

  override async put(...given: Parameters<MemorySaver['put']>) {
    const config = await super.put(...given)
    this.#write()
    return config
  }

  override async putWrites(...given: Parameters<MemorySaver['putWrites']>) {
    await super.putWrites(...given)
    this.#write()
  }

  #write(): void {
    const draft = `${this.#path}.${process.pid}`
    writeFileSync(draft, serialize({ storage: this.storage, writes: this.writes }))
    renameSync(draft, this.#path)
  }
}
