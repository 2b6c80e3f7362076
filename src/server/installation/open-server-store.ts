/** The store of a server: chosen, locked where one server alone may have it, opened, and written down for the commands. */
import type { Store } from '../../stores/store.ts'
import { openStore } from '../stores/open-store.ts'
import { describeStore, isShared, storeAddresses, storeFiles } from '../stores/store-place.ts'
import { chooseStore, type StoreChoice, writeStoreRecord } from './choose-store.ts'
import { lockDatabase } from './data-folder.ts'

export interface ServerStore {
  store: Store
  /** Where it is, in words that hold no secret. */
  at: string
  isShared: boolean
  /** What is acknowledged here may be lost, which its owner has accepted; or nothing is kept at all. */
  mayLose: boolean
  /** What no agent may name (P11): whoever reaches the store can decide in it. */
  addresses: string[]
  files: string[]
  close(): Promise<void>
}

const MAY_LOSE =
  'redis.mayLose is true: when this Redis crashes or fails over, decisions and claims that were acknowledged may be gone, and a call that was approved once may be approved, or run, again'

export async function openServerStore(
  choice: StoreChoice,
  {
    report,
    say,
  }: { report: (fault: { doing: string; error: unknown }) => void; say: (line: string) => void },
): Promise<ServerStore> {
  const chosen = chooseStore(choice)
  const { place } = chosen
  const at = describeStore(place)
  const isElsewhere = place.kind !== 'sqlite' || place.file !== choice.folder.database
  if (isElsewhere) say(`the store is ${at}`)
  const lock = isElsewhere && place.kind === 'sqlite' ? lockDatabase(place.file) : undefined
  try {
    const store = await openStore(place, { report, alsoWatched: [choice.folder.lockFile] })
    if (place.kind === 'redis' && place.mayLose === true) say(MAY_LOSE)
    writeStoreRecord(choice.folder, chosen)
    return {
      store,
      at,
      isShared: isShared(place),
      mayLose: place.kind === 'memory' || (place.kind === 'redis' && place.mayLose === true),
      addresses: await storeAddresses(place),
      files: storeFiles(place),
      async close() {
        await store.close()
        lock?.release()
      },
    }
  } catch (error) {
    lock?.release()
    throw error
  }
}
