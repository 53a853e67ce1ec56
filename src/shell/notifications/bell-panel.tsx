import { Button } from 'antd'
import dayjs from 'dayjs'
import { useEffect, type FC } from 'react'
import { CheckOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { notices, useBell } from '../../data/notices.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import styles from './bell-panel.module.css'
import { Drawer } from '../../ui/page/dialog.tsx'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useCurrentHome } from '../../data/homes.ts'
import { formatAge } from '../../lib/format-age.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { pathTo } from '../../navigation/paths.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useZone } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { targetPathOf, useSentences } from './use-sentences.ts'
import { SeverityMark } from './severity-mark.tsx'
import { useRead } from './use-read.ts'

/** Maximum number of notifications in the panel; the history contains the others. */
const NEWEST = 20

/** Newest notifications of the user, each a sentence that links to its subject. */
const Newest: FC<{ close: () => void }> = ({ close }) => {
  const t = useT()
  const home = useCurrentHome()
  const { data, error, refetch } = useQuery(callQuery(notifications.listNotification, { Limit: NEWEST }))
  const { busy, run } = useRead()
  const newest = data?.Rows[0]
  return (
    <section aria-label={t('inbox:panel.newest')} className={page.tightStack}>
      {data && newest ? (
        <>
          <div className={page.spread}>
            <span role="status">
              {data.Unread > 0 ? t('inbox:unread', { count: data.Unread }) : t('inbox:allRead')}
            </span>
            {data.Unread > 0 && (
              <Button
                size="small"
                icon={<CheckOutlined />}
                loading={busy}
                // Notifications received meanwhile stay unread.
                onClick={() => void run({ Before: newest.At })}
              >
                {t('inbox:readAll')}
              </Button>
            )}
          </div>
          <ul>
            {data.Rows.map((row) => (
              <Line key={row.NotificationID} notification={row} close={close} />
            ))}
          </ul>
        </>
      ) : data ? (
        <EmptyState message={t('inbox:empty')} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : (
        <ListSkeleton rows={5} />
      )}
      <div className={page.wideRow}>
        {home && (
          <Link
            className={page.touch}
            to={pathTo('historyNotification', { HomeID: home.HomeID })}
            onClick={close}
          >
            {t('inbox:panel.history')}
          </Link>
        )}
        <Link className={page.touch} to={pathTo('ChangeNotificationSetting')} onClick={close}>
          {t('inbox:panel.settings')}
        </Link>
      </div>
    </section>
  )
}

const Line: FC<{ notification: Notification; close: () => void }> = ({ notification, close }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useZone()
  const navigate = useNavigate()
  const { run } = useRead()
  const { title, body } = useSentences()(notification)
  const { NotificationID, At, ReadAt, Category } = notification
  const path = targetPathOf(notification)
  const read = () => void run({ NotificationIDs: [NotificationID] })
  const open = () => {
    if (ReadAt === null) read()
    if (path === undefined) return
    close()
    void navigate(path)
  }
  return (
    <li className={styles.line} data-unread={ReadAt === null}>
      <button type="button" className={styles.open} onClick={open}>
        <span className={`${page.wideRow} ${page.small}`}>
          <SeverityMark {...notification} />
          <span>{t(`screens:noticeCategories.${Category}`)}</span>
          <time dateTime={new Date(At).toISOString()} title={formatWhen(At, language, zone)}>
            {formatAge(At, now, language, zone)}
          </time>
          {ReadAt === null && <span className="visually-hidden">{t('inbox:isUnread')}</span>}
        </span>
        <b>{title}</b>
        {body !== '' && <span className={`${page.small} ${styles.body}`}>{body}</span>}
      </button>
      {ReadAt === null && (
        <IconButton icon={<CheckOutlined />} label={t('inbox:readOne', { title })} onPress={read} />
      )}
    </li>
  )
}

/** Panel with the user's notifications, and below them background errors of this browser. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const t = useT()
  return (
    <Drawer focusAtFirst="dialog" open onClose={onClose} title={t('inbox:panel.title')}>
      <Newest close={onClose} />
      <OfThisBrowser />
    </Drawer>
  )
}

/** Errors of this browser; showing them marks them as read. */
function OfThisBrowser() {
  const t = useT()
  const list = useBell()
  useEffect(() => {
    notices.readAll()
  }, [])
  if (list.length === 0) return null
  return (
    <section aria-label={t('inbox:panel.browser')} className={page.section}>
      <div className={page.spread}>
        <h2>{t('inbox:panel.browser')}</h2>
        <Button size="small" onClick={notices.clear}>
          {t('inbox:panel.clear')}
        </Button>
      </div>
      <ul>
        {list.map((notice) => (
          <li key={notice.id} className={styles.notice}>
            <p>{notice.text()}</p>
            {notice.detail && <code>{notice.detail}</code>}
            <time dateTime={new Date(notice.at).toISOString()}>
              {dayjs(notice.at).format('YYYY-MM-DD HH:mm:ss')}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
