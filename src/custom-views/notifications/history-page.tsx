import { Alert, Button } from 'antd'
import { Link, useNavigate, useParams } from 'react-router'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { useHomes } from '../../data/homes.ts'
import { unread } from '../../data/unread.ts'
import { formatAge } from '../../lib/format-age.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT, t as words } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import type { ConnectionState } from '../../live/connection.ts'
import { useConnection } from '../../live/channel.ts'
import { pathTo } from '../../navigation/paths.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { targetPathOf, useSentences } from '../../shell/notifications/use-sentences.ts'
import { SeverityMark } from '../../shell/notifications/severity-mark.tsx'
import { useRead } from '../../shell/notifications/use-read.ts'
import { useFormatWhen, useZone } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import pageStyles from '../../ui/page/page.module.css'
import styles from './history.module.css'
import { PrintHistory } from './print-history.tsx'
import { useHistoryFilter } from './use-history-filter.tsx'
import type { FC } from 'react'
import { CheckOutlined } from '@ant-design/icons'
import { useAction } from '../../data/use-action.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'

/** Maximum number per call. */
const PAGE_SIZE = 500

interface ReadBarProps {
  rows: readonly Notification[]
  clear: () => void
}

/** Marks all selected notifications as read or unread; each call is atomic. */
const ReadBar: FC<ReadBarProps> = ({ rows, clear }) => {
  const t = useT()
  const { busy, run } = useAction(async (input: { ids: readonly string[]; Read: boolean }, send) => {
    const { ids, Read } = input
    for (let from = 0; from < ids.length; from += PAGE_SIZE) {
      const NotificationIDs = ids.slice(from, from + PAGE_SIZE)
      const { Unread } = await send(notifications.readNotification, { NotificationIDs, Read })
      unread.set(Unread)
    }
  })
  const count = rows.length
  const mark = async (Read: boolean) => {
    const ids = rows.map(({ NotificationID }) => NotificationID)
    let isDone = false
    await run({ ids, Read }, () => {
      isDone = true
      return words(Read ? 'inbox:bulk.read' : 'inbox:bulk.unread', { count })
    })
    if (isDone) clear()
  }
  return (
    <SelectionBar words={t('inbox:bulk.selected', { count })} items={[]} clear={clear}>
      {() => (
        <>
          <Button icon={<CheckOutlined />} loading={busy} onClick={() => void mark(true)}>
            {t('inbox:read')}
          </Button>
          <Button disabled={busy} onClick={() => void mark(false)}>
            {t('inbox:notRead')}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}

interface Props {
  notification: Notification
  /** Text of the notification, for screen readers. */
  title: string
}

const ReadButton: FC<Props> = ({ notification: { NotificationID, ReadAt }, title }) => {
  const t = useT()
  const { busy, run } = useRead()
  const Read = ReadAt === null
  return (
    <Button
      size="small"
      className={pageStyles.touch ?? ''}
      loading={busy}
      aria-label={t(Read ? 'inbox:readOne' : 'inbox:unreadOne', { title })}
      onClick={(event) => {
        event.stopPropagation()
        void run({ NotificationIDs: [NotificationID], Read })
      }}
    >
      {t(Read ? 'inbox:read' : 'inbox:notRead')}
    </Button>
  )
}

/** States without live updates; the first connection is not one. */
const DOWN: readonly ConnectionState[] = ['reconnecting', 'offline', 'error']
const keyOf = ({ NotificationID }: Notification) => NotificationID
/** Width of a button with text, px. */
const ACTIONS = 120
/** Tolerance for device clocks ahead of the gateway's: notifications up to this much later are marked as well. */
const MAX_CLOCK_SKEW_MS = 300_000

/** Notifications of a home and of no home, or of all homes: the newest first, live. */
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

/** Total number of unread notifications, regardless of the filters. */
function UnreadLine() {
  const t = useT()
  const count = useStore(unread)
  const { busy, run } = useRead()
  if (count === 0) return null
  return (
    <div className={pageStyles.wideRow}>
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
      minWidth: 116,
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

/** Text of a notification, with a link to its subject; user text in it is plain text. */
function What({ notification, read }: { notification: Notification; read: () => void }) {
  const t = useT()
  const { title, body } = useSentences()(notification)
  const isUnread = notification.ReadAt === null
  const path = targetPathOf(notification)
  return (
    <span className={`${pageStyles.field} ${pageStyles.words} ${styles.what}`} data-unread={isUnread}>
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
      {body !== '' && <small className={pageStyles.small}>{body}</small>}
    </span>
  )
}

function When({ At }: Pick<Notification, 'At'>) {
  const language = useLanguage()
  const now = useNow()
  const { fullWhen } = useFormatWhen()
  const zone = useZone()
  return (
    <time
      className={`${pageStyles.field} ${pageStyles.figures}`}
      dateTime={new Date(At).toISOString()}
      title={fullWhen(At)}
    >
      {formatAge(At, now, language, zone)}
    </time>
  )
}
