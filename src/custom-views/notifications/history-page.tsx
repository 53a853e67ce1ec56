import { Alert, Button } from 'antd'
import { Link, useNavigate, useParams } from 'react-router'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { useHomes } from '../../data/homes.ts'
import { unread } from '../../data/unread.ts'
import { formatAge } from '../../lib/format-age.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import type { ConnectionState } from '../../live/connection.ts'
import { useConnection } from '../../live/live.ts'
import { pathTo } from '../../navigation/paths.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { targetPathOf } from '../../shell/notifications/target-path.ts'
import { SeverityMark } from '../../shell/notifications/severity-mark.tsx'
import { useRead } from '../../shell/notifications/use-read.ts'
import { useSentences } from '../../shell/notifications/use-sentences.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './history.module.css'
import { PrintHistory } from './print-history.tsx'
import { ReadBar } from './read-bar.tsx'
import { ReadButton } from './read-button.tsx'
import { useHistoryFilter } from './use-history-filter.tsx'

/** States in which nothing new is heard; one that has only begun says nothing of that. */
const DOWN: readonly ConnectionState[] = ['reconnecting', 'offline', 'error']
const keyOf = ({ NotificationID }: Notification) => NotificationID
/** Room for a button with its words, px. */
const ACTIONS = 120
/** Clocks of devices go ahead of the gateway's, ms: what they say happened a little later is marked as well. */
const MAX_CLOCK_SKEW_MS = 300_000

/** What the person was told of a home and of no home, or of all homes: the newest first, live. */
export default function HistoryPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const filter = useHistoryFilter(HomeID)
  const sentence = useSentences()
  const navigate = useNavigate()
  const reading = useRead()
  const isOffline = DOWN.includes(useConnection())
  const read = ({ NotificationID, ReadAt }: Notification) => {
    if (ReadAt === null) void reading.run({ NotificationIDs: [NotificationID] })
  }
  const open = (notification: Notification) => {
    read(notification)
    const path = targetPathOf(notification)
    if (path !== undefined) void navigate(path)
  }
  return (
    <CallList
      endpoint={notifications.listNotification}
      input={filter.input}
      keyOf={keyOf}
      title={t('inbox:history.title')}
      filtered={filter.isOn}
      clear={filter.clear}
      bar={filter.bar}
      views={<PrintHistory HomeID={HomeID} filter={filter} />}
      note={
        <>
          {isOffline && <Alert showIcon type="warning" message={t('inbox:history.offline')} />}
          <UnreadLine />
        </>
      }
      columns={useHistoryColumns(filter.isOfAll, read)}
      open={open}
      renderActions={(notification) => (
        <ReadButton notification={notification} title={sentence(notification).title} />
      )}
      actionsWidth={ACTIONS}
      bulk={{
        nameOf: (notification) => sentence(notification).title,
        renderBar: (rows, clear) => <ReadBar rows={rows} clear={clear} />,
      }}
      empty={t('inbox:history.empty')}
      next={<ButtonLink to={pathTo('ChangeNotificationSetting')}>{t('inbox:panel.settings')}</ButtonLink>}
    />
  )
}

/** How many are unread in all, whatever the filters let through. */
function UnreadLine() {
  const t = useT()
  const count = useStore(unread)
  const { busy, run } = useRead()
  if (count === 0) return null
  return (
    <div className={styles.unread}>
      <span role="status">{t('inbox:history.unread', { count })}</span>
      <Button
        size="small"
        loading={busy}
        onClick={() => void run({ Before: gatewayNow() + MAX_CLOCK_SKEW_MS })}
      >
        {t('inbox:readAll')}
      </Button>
    </div>
  )
}

function useHistoryColumns(
  ofAllHomes: boolean,
  read: (notification: Notification) => void,
): TitledColumn<Notification>[] {
  const t = useT()
  const homes = useHomes()
  const nameOf = (id: string | null) =>
    id === null ? t('inbox:history.noHome') : (homes?.find(({ HomeID }) => HomeID === id)?.HomeName ?? '–')
  return [
    {
      key: 'what',
      title: t('inbox:history.columns.what'),
      width: 360,
      render: (notification) => <What notification={notification} read={() => read(notification)} />,
    },
    {
      key: 'severity',
      title: t('screens:severity'),
      width: 116,
      least: 116,
      render: (notification) => <SeverityMark {...notification} />,
    },
    {
      key: 'category',
      title: t('inbox:history.columns.category'),
      width: 140,
      render: ({ Category }) => t(`screens:noticeCategories.${Category}`),
    },
    ...(ofAllHomes
      ? [
          {
            key: 'home',
            title: t('inbox:history.columns.home'),
            width: 120,
            render: ({ HomeID }: Notification) => nameOf(HomeID),
          },
        ]
      : []),
    {
      key: 'at',
      title: t('inbox:history.columns.at'),
      width: 150,
      render: (notification) => <When {...notification} />,
    },
  ]
}

/** The sentence, which leads to what it is about; what people wrote in it is plain text. */
function What({ notification, read }: { notification: Notification; read: () => void }) {
  const t = useT()
  const { title, body } = useSentences()(notification)
  const isUnread = notification.ReadAt === null
  const path = targetPathOf(notification)
  return (
    <span className={styles.what} data-unread={isUnread}>
      <b>
        {path === undefined ? (
          title
        ) : (
          <Link
            to={path}
            onClick={(event) => {
              event.stopPropagation()
              read()
            }}
          >
            {title}
          </Link>
        )}
      </b>
      {isUnread && <span className="visually-hidden">{t('inbox:isUnread')}</span>}
      {body !== '' && <small>{body}</small>}
    </span>
  )
}

function When({ At }: Pick<Notification, 'At'>) {
  const language = useLanguage()
  const now = useNow()
  const { when } = useFormatWhen()
  return (
    <span className={styles.when}>
      <time dateTime={new Date(At).toISOString()}>{when(At)}</time>
      <small>{formatAge(At, now, language)}</small>
    </span>
  )
}
