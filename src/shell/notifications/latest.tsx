import { CheckOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FC } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useCurrentHome } from '../../data/homes.ts'
import { formatAge } from '../../lib/format-age.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import page from '../../ui/page/page.module.css'
import styles from './bell-panel.module.css'
import { targetPathOf } from './target-path.ts'
import { SeverityMark } from './severity-mark.tsx'
import { useRead } from './use-read.ts'
import { useSentences } from './use-sentences.ts'

/** Maximum number of notifications in the panel; the history contains the others. */
const NEWEST = 20

/** Newest notifications of the user, each a sentence that links to its subject. */
export const Newest: FC<{ close: () => void }> = ({ close }) => {
  const t = useT()
  const home = useCurrentHome()
  const { data, error, refetch } = useQuery(callQuery(notifications.listNotification, { Limit: NEWEST }))
  const { busy, run } = useRead()
  const newest = data?.Rows[0]
  return (
    <section aria-label={t('inbox:panel.newest')} className={page.tightStack}>
      {data && newest ? (
        <>
          <div className={styles.tools}>
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
          <ul className={styles.list}>
            {data.Rows.map((row) => (
              <Line key={row.NotificationID} notification={row} close={close} />
            ))}
          </ul>
        </>
      ) : data ? (
        <EmptyState why={t('inbox:empty')} />
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : (
        <ListSkeleton rows={5} />
      )}
      <div className={styles.links}>
        {home && (
          <Link to={pathTo('historyNotification', { HomeID: home.HomeID })} onClick={close}>
            {t('inbox:panel.history')}
          </Link>
        )}
        <Link to={pathTo('ChangeNotificationSetting')} onClick={close}>
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
        <span className={styles.meta}>
          <SeverityMark {...notification} />
          <span>{t(`screens:noticeCategories.${Category}`)}</span>
          <time dateTime={new Date(At).toISOString()} title={formatWhen(At, language, zone)}>
            {formatAge(At, now, language)}
          </time>
          {ReadAt === null && <span className="visually-hidden">{t('inbox:isUnread')}</span>}
        </span>
        <b>{title}</b>
        {body !== '' && <span className={styles.body}>{body}</span>}
      </button>
      {ReadAt === null && (
        <IconButton icon={<CheckOutlined />} label={t('inbox:readOne', { title })} onPress={read} />
      )}
    </li>
  )
}
