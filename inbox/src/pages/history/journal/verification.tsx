import { useState } from 'preact/hooks'
import { FailureNote } from '../../../components/failure-note.tsx'
import { usePageAction } from '../../../components/use-page-action.ts'
import { useInbox, useOwnWords } from '../../../context/context.ts'
import { LONG_ANSWER_WITHIN_MS } from '../../../model/browser/load-within.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { wordFor } from '../../../words/words.ts'
import { JOURNAL_WORDS } from '../words/journal-words.ts'
import {
  type ChainFindings,
  type FoundProblem,
  type JournalFindings,
  journalFindingsOf,
} from './journal-findings.ts'

/** Has the server check its journal, and says in plain words what was checked and what came out. */
export function Verification({ show }: { show(chain: string, to?: number): void }) {
  const { client } = useInbox()
  const words = useOwnWords(JOURNAL_WORDS).verify
  const [findings, setFindings] = useState<JournalFindings>()
  const { isBusy, error, run } = usePageAction()
  const verify = () => {
    setFindings(undefined)
    void run(async () =>
      setFindings(journalFindingsOf(await client.verifyJournal({ withinMs: LONG_ANSWER_WITHIN_MS }))),
    )
  }
  return (
    <div class="verification">
      <button type="button" class="primary" disabled={isBusy} onClick={verify}>
        {findings === undefined ? words.start : words.again}
      </button>
      <div role="status">
        {isBusy ? <p class="hint">{words.under}</p> : null}
        {findings === undefined ? null : <Report findings={findings} show={show} />}
      </div>
      {error === undefined ? null : <FailureNote error={error} />}
    </div>
  )
}

interface ReportProps {
  findings: JournalFindings
  show(chain: string, to?: number): void
}

/** A server that is started often has many, and what is wrong must not stand below them all. */
const FEW_CHAINS = 3

function Report({ findings, show }: ReportProps) {
  const words = useOwnWords(JOURNAL_WORDS).verify
  const { finding, wrong, entries, requests, chains, problems, omitted } = findings
  const isBroken = (chain: ChainFindings) => chain.problems.length + chain.omitted > 0
  const broken = chains.filter(isBroken)
  const whole = chains.filter((chain) => !isBroken(chain))
  return (
    <section class={`note findings is-${finding}`}>
      <h3>{words.finding[finding]}</h3>
      {wrong > 0 ? <p>{words.wrong(wrong)}</p> : null}
      <p>{words.explain[finding]}</p>
      {problems.length === 0 ? null : (
        <>
          <h4>{words.across}</h4>
          <Problems problems={problems} omitted={omitted} />
        </>
      )}
      <ChainList chains={broken} show={show} />
      {whole.length === 0 ? null : (
        <details open={whole.length <= FEW_CHAINS}>
          <summary>{words.byChain}</summary>
          <ChainList chains={whole} show={show} />
        </details>
      )}
      <details>
        <summary>{words.checked}</summary>
        <ul class="checks">
          {words.checks(entries, chains.length, requests).map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </details>
    </section>
  )
}

function ChainList({ chains, show }: { chains: readonly ChainFindings[]; show: ReportProps['show'] }) {
  const words = useOwnWords(JOURNAL_WORDS).verify
  return (
    <ul class="chain-findings">
      {chains.map(({ chain, entries, stretches, problems, omitted }) => (
        <li key={chain}>
          <p>
            <code>{visible(chain)}</code> <span class="hint">{words.chain(entries)}</span>
          </p>
          <Problems problems={problems} omitted={omitted} look={(to) => show(chain, to)} />
          <ul class="stretches">
            {stretches.map(({ kind, from, to }) => (
              <li key={kind} class={`stretch is-${kind}`}>
                <span>{words.range(from, to)}</span> <span class="hint">{words.stretch[kind]}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

interface ProblemsProps {
  problems: readonly FoundProblem[]
  omitted: number
  look?(to: number): void
}

function Problems({ problems, omitted, look }: ProblemsProps) {
  const words = useOwnWords(JOURNAL_WORDS).verify
  if (problems.length === 0 && omitted === 0) return null
  return (
    <ul class="problems">
      {problems.map(({ kind, message, from, to }, index) => (
        <li key={index}>
          <strong>{wordFor(words.problem, kind)}</strong>
          {from === undefined || to === undefined ? null : <span> · {words.range(from, to)}</span>}
          <p dir="ltr">{visible(message)}</p>
          {to === undefined || look === undefined ? null : (
            <button type="button" class="quiet" onClick={() => look(to)}>
              {words.at}
            </button>
          )}
        </li>
      ))}
      {omitted === 0 ? null : <li>{words.more(omitted)}</li>}
    </ul>
  )
}
