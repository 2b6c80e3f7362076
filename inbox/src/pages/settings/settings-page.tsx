import { PageHeading } from '../../components/page-heading.tsx'
import { useInbox, useOwnWords, useWords } from '../../context/context.ts'
import { SHELL_WORDS } from '../../words/shell-words.ts'
import { Account } from './account.tsx'
import { Appearance } from './appearance.tsx'
import { Chats } from './chats/chats.tsx'
import { NotificationSettings } from './notification-settings.tsx'
import { PushSettings } from './push-settings.tsx'
import { QuietHoursForm } from './quiet-hours-form.tsx'
import { SnoozeNotifications } from './snooze-notifications.tsx'
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
      <Chats />
      {reminders === undefined ? (
        <p class="hint" role="status">
          {loading}
        </p>
      ) : (
        <>
          <NotificationSettings notices={reminders.notices} />
          <PushSettings push={reminders.push} />
          <QuietHoursForm quiet={reminders.quiet} push={reminders.push} />
          <SnoozeNotifications quiet={reminders.quiet} />
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
