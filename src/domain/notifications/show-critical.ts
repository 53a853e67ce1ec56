import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { DEFAULT_PERSONAL_CONFIG } from '../../../contract/people/personal-calls.ts'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { quietUntil } from '../../../contract/notifications/quiet-hours.ts'
import { sentenceOf } from '../../../contract/notifications/sentence.ts'
import { call, queryClient, callQuery } from '../../data/api.ts'
import { homesQuery } from '../../data/homes.ts'
import { goTo } from '../../data/navigator.ts'
import { notices } from '../../data/notices.ts'
import { personalQuery } from '../../data/personal.ts'
import { unread } from '../../data/unread.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { currentLanguage, loadNamespaces, t } from '../../lib/i18n/i18n.ts'
import { logFault } from '../../lib/log-fault.ts'
import { targetPathOf, sentenceWords } from '../../shell/notifications/use-sentences.ts'
import { QueryObserver } from '@tanstack/react-query'
import { alarms } from '../../../contract/alarms/calls.ts'

/** Maximum age in ms of a notification that is still shown over the page. */
const MAX_NOTICE_AGE_MS = 3_600_000
/** Maximum number shown at the same time; a further one replaces the oldest. */
const MAX_SHOWN = 3
let shownCount = 0

/** Shows a critical notification over the page, unless it is old or quiet hours without exceptions apply. */
export async function showCritical(notification: Notification): Promise<void> {
  const { Notifications, DecimalPrecision } =
    queryClient.getQueryData(personalQuery.queryKey) ?? DEFAULT_PERSONAL_CONFIG
  const { Quiet } = Notifications
  const now = gatewayNow()
  if (Quiet?.Except === 'none' && quietUntil(Quiet, now) !== null) return
  if (notification.At < now - MAX_NOTICE_AGE_MS) return
  await loadNamespaces(['automation', 'devices', 'inbox', 'notifications'])
  const home = queryClient
    .getQueryData(homesQuery.queryKey)
    ?.find(({ HomeID }) => HomeID === notification.HomeID)
  const text = () =>
    sentenceOf(
      notification,
      sentenceWords({
        language: currentLanguage(),
        timeZone: home?.TimeZone ?? DEFAULT_ZONE,
        decimals: DecimalPrecision,
      }),
    )
  const path = targetPathOf(notification)
  const { AlarmID } = notification
  notices.urgent(() => text().title, {
    detail: text().body,
    place: `critical ${shownCount++ % MAX_SHOWN}`,
    ...(AlarmID !== null && { endsBy: (end) => watchAlarm(AlarmID, end) }),
    act: {
      text: () => t(path === undefined ? 'inbox:read' : 'inbox:open'),
      run: () => {
        if (path !== undefined) goTo(path)
        void read(notification)
      },
    },
  })
}

async function read({ NotificationID }: Notification): Promise<void> {
  try {
    const { Unread } = await call(notifications.readNotification, { NotificationIDs: [NotificationID] })
    unread.set(Unread)
  } catch (error) {
    // The notification stays unread, and the bell shows that.
    logFault('Notifications', error)
  }
}

/** Calls `onOver` once an alarm is acknowledged, shelved or cleared, by any user and in any tab. Returns a function that stops it. */
function watchAlarm(AlarmID: string, onOver: () => void): () => void {
  const since = Date.now()
  const observer = new QueryObserver(queryClient, callQuery(alarms.listAlarm, { AlarmID, Limit: 1 }))
  const stop = observer.subscribe(({ data, dataUpdatedAt }) => {
    // Data cached before the notification may describe an earlier state of the alarm.
    if (!data || dataUpdatedAt < since) return
    const alarm = data.Rows[0]
    if (!alarm || alarm.Acknowledged || alarm.Shelved || alarm.Cleared) onOver()
  })
  void observer.refetch({ cancelRefetch: false })
  return stop
}
