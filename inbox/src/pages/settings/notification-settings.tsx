import { useOwnWords } from '../../context/context.ts'
import type { PageNotifications } from '../../model/notifications/page-notifications.ts'
import { SETTINGS_WORDS } from './words.ts'

/** The page's own notifications. The browser is asked by the button, never by itself. */
export function NotificationSettings({ notices }: { notices: PageNotifications }) {
  const words = useOwnWords(SETTINGS_WORDS).notices
  const isOn = notices.isOn.value && notices.permission.value === 'granted'
  const trouble = words.permission[notices.permission.value]
  return (
    <section aria-labelledby="notices-title">
      <h3 id="notices-title">{words.title}</h3>
      <p>{words.explain}</p>
      <p role="status">{trouble ?? (isOn ? words.on : words.off)}</p>
      {trouble === undefined ? (
        <div class="setting-choices">
          <button type="button" onClick={() => (isOn ? notices.turnOff() : void notices.turnOn())}>
            {isOn ? words.turnOff : words.turnOn}
          </button>
        </div>
      ) : null}
    </section>
  )
}
