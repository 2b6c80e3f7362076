import { LoadState } from '../../components/load-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useLoaded } from '../../components/use-loaded.ts'
import { useInbox, useOwnWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { DayPlots } from './day-plots.tsx'
import { PeopleTable } from './people-table.tsx'
import { DAYS, readDays } from './policy-hints.ts'
import { QuickDecisions } from './quick-decisions.tsx'
import { RuleTable } from './rule-table.tsx'
import { Tiles } from './tiles.tsx'
import { TimePlot } from './time-plot.tsx'
import { HEALTH_WORDS } from './words.ts'
import '../../style/record.css'
import './health.css'

/** Whether people are asked well: how often, by which rules, and whether they have the time to read. */
export function HealthPage() {
  const { client, place, adjust } = useInbox()
  const words = useOwnWords(HEALTH_WORDS)
  const shell = useOwnWords(SHELL_WORDS)
  const days = readDays(place.value.query?.days)
  const loaded = useLoaded(
    String(days),
    (signal) => client.oversight({ days, offset: -new Date().getTimezoneOffset() }, { signal }),
    { keep: true },
  )
  const figures = loaded.value
  return (
    <div class="record health">
      <header class="record-head">
        <PageHeading>{shell.pages.health}</PageHeading>
        <Tabs
          label={words.days.label}
          tabs={DAYS.map((count) => [String(count), words.days.name(count)] as const)}
          chosen={String(days)}
          choose={(name) => adjust({ page: 'health', query: { days: name } })}
        />
      </header>
      <LoadState of={loaded} />
      {figures === undefined ? null : figures.calls === 0 ? (
        <p class="hint centre">{words.nothing(figures.days)}</p>
      ) : (
        <div class={loaded.isLoading ? 'health-grid is-old' : 'health-grid'} aria-busy={loaded.isLoading}>
          {figures.cut ? <p class="note warning wide">{words.cut(figures.calls)}</p> : null}
          <Tiles figures={figures} />
          <DayPlots perDay={figures.perDay} />
          <RuleTable rules={figures.rules} />
          <TimePlot figures={figures.timeToDecide} />
          <div class="health-side">
            <QuickDecisions figures={figures} />
            <PeopleTable people={figures.people} />
          </div>
        </div>
      )}
    </div>
  )
}
