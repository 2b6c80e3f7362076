import { useEffect, useRef, useState } from 'preact/hooks'
import type { WirePolicy } from '../../../../src/client/index.ts'
import { LoadState } from '../../components/load-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { PolicyChange } from './policy-change.tsx'
import { PolicyFile, type ShownLine } from './policy-file.tsx'
import { PolicyStatus } from './policy-status.tsx'
import { ReplayForm } from './replay/replay-form.tsx'
import { TryCallForm } from './try-call/try-call-form.tsx'
import '../../style/record.css'
import './policy.css'

/** The policy that holds, and all that can be tried with it. */
export function PolicyPage() {
  const { client } = useInbox()
  const shell = useOwnWords(SHELL_WORDS)
  const loaded = useLoaded('policy', (signal) => client.policy({ signal }))
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && loaded.again()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return (
    <div class="record policy">
      <header class="record-head">
        <PageHeading>{shell.pages.policy}</PageHeading>
      </header>
      <LoadState of={loaded} />
      {loaded.value === undefined ? null : (
        <PolicyParts policy={loaded.value} again={loaded.again} put={loaded.put} />
      )}
    </div>
  )
}

interface PolicyPartsProps {
  policy: WirePolicy
  again(): void
  put(policy: WirePolicy): void
}

function PolicyParts({ policy, again, put }: PolicyPartsProps) {
  const [draft, setDraft] = useDraft(policy)
  const [shown, setShown] = useState<ShownLine>()
  const counter = useRef(0)
  const toLine = (line: number) => setShown({ line, round: ++counter.current })
  return (
    <div class="policy-columns">
      <div class="policy-side">
        <PolicyStatus policy={policy} again={again} toLine={toLine} />
        <PolicyChange policy={policy} again={again} put={put} />
        <PolicyFile policy={policy} shown={shown} />
      </div>
      <div class="policy-side">
        <TryCallForm policy={policy} draft={draft} toLine={toLine} />
        <ReplayForm policy={policy} draft={draft} setDraft={setDraft} />
      </div>
    </div>
  )
}

/** What somebody was writing, for as long as the tab is open: looking something up elsewhere must not cost it. */
let kept: string | undefined

/** Without a change of one's own it follows what is there. */
function useDraft({
  text,
  changed,
}: WirePolicy): [draft: string, setDraft: (text: string | undefined) => void] {
  const [own, setOwn] = useState(kept)
  const setDraft = (next: string | undefined) => {
    kept = next
    setOwn(next)
  }
  const beginning = changed === undefined || changed.text === '' ? text : changed.text
  return [own ?? beginning, setDraft]
}
