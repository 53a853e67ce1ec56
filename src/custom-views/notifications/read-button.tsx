import { Button } from 'antd'
import type { FC } from 'react'
import type { Notification } from '../../../contract/notifications/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useRead } from '../../shell/notifications/use-read.ts'
import styles from './history.module.css'

interface Props {
  notification: Notification
  /** What it says, for who hears only the button. */
  title: string
}

/** Marks a notification as read, or takes that back. */
export const ReadButton: FC<Props> = ({ notification: { NotificationID, ReadAt }, title }) => {
  const t = useT()
  const { busy, run } = useRead()
  const Read = ReadAt === null
  return (
    <Button
      size="small"
      className={styles.touch ?? ''}
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
