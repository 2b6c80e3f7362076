import { PageHeading } from '../../parts/page-heading.tsx'
import { useInbox, useOwnWords, useWords } from '../../shell/context.ts'
import { SHELL_WORDS } from '../../shell/words.ts'
import { Account } from './account.tsx'
import { Appearance } from './appearance.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { PushSettings } from './push-settings.tsx'
import { QuietHoursForm } from './quiet-hours-form.tsx'
import { SnoozeAll } from './snooze-all.tsx'
import { SETTINGS_WORDS } from './words.ts'
import './settings.css'

/** How this browser looks, when it calls somebody, and who is logged in. */
export function SettingsPage() {
  const shell = useOwnWords(SHELL_WORDS)
  const words = useOwnWords(SETTINGS_WORDS)
  const { loading } = useWords()
  const reminders = useInbox().reminders.value
  const isInstalled = matchMedia('(display-mode: standalone)').matches
  return (
    <div class="page settings">
      <PageHeading>{shell.pages.settings}</PageHeading>
      <p class="hint">{words.here}</p>
      <Account />
      <Appearance />
      {reminders === undefined ? (
        <p class="hint" role="status">
          {loading}
        </p>
      ) : (
        <>
          <NoticeSettings notices={reminders.notices} />
          <PushSettings push={reminders.push} />
          <QuietHoursForm quiet={reminders.quiet} push={reminders.push} />
          <SnoozeAll quiet={reminders.quiet} />
        </>
      )}
      {isInstalled ? null : (
        <section aria-labelledby="install-title">
          <h3 id="install-title">{words.install.title}</h3>
          <p>{words.install.explain}</p>
        </section>
      )}
    </div>
  )
}
