import { useState } from 'preact/hooks'
import { useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { SESSIONS_WORDS } from '../words/words.ts'

export interface FolderFieldProps {
  folders: readonly string[]
  value: string
  change(folder: string): void
}

/** No folder has this name. */
const OTHER = ''

/** One of the folders that are allowed, or the path of one below them. */
export function FolderField({ folders, value, change }: FolderFieldProps) {
  const own = useOwnWords(SESSIONS_WORDS).fresh
  const [isOther, setOther] = useState(folders.length === 0)
  return (
    <>
      {folders.length === 0 ? null : (
        <label>
          <span>{own.folder}</span>
          <select
            dir="ltr"
            value={isOther ? OTHER : value}
            onChange={(event) => {
              const chosen = event.currentTarget.value
              setOther(chosen === OTHER)
              // What is chosen first is what a path below it begins with.
              change(chosen === OTHER ? `${value}/` : chosen)
            }}
          >
            {folders.map((folder) => (
              <option key={folder} value={folder}>
                {visible(folder)}
              </option>
            ))}
            <option value={OTHER}>{own.otherFolder}</option>
          </select>
        </label>
      )}
      {isOther ? (
        <label>
          <span>{own.path}</span>
          <input
            dir="ltr"
            required
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            maxLength={4096}
            value={value}
            aria-describedby="folder-hint"
            onInput={(event) => change(event.currentTarget.value)}
          />
        </label>
      ) : null}
      <p class="hint" id="folder-hint">
        {folders.length === 0 ? own.pathHint : own.folderHint}
      </p>
    </>
  )
}
