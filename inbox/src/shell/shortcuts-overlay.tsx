import { useEffect, useRef } from 'preact/hooks'
import { useOwnWords } from '../context/context.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'

/** Every key there is. */
export function ShortcutsOverlay({ close }: { close(): void }) {
  const { help } = useOwnWords(SHELL_WORDS)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">{help.title}</h2>
      {(['everywhere', 'inLists', 'onRequests'] as const).map((place) => (
        <section key={place}>
          <h3>{help[place]}</h3>
          <dl class="key-list">
            {help.keys
              .filter(([, , where]) => where === place)
              .map(([keys, what]) => (
                <div key={keys}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <button type="button" class="primary" onClick={() => dialog.current?.close()}>
        {help.close}
      </button>
    </dialog>
  )
}
