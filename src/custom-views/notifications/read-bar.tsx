import { CheckOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import { unread } from '../../data/unread.ts'
import { useAction } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from '../../record-kit/bulk/bulk-bar.tsx'

/** Most that one call takes. */
const AT_ONCE = 500

interface Props {
  rows: readonly Notification[]
  clear: () => void
}

/** Marks all that is chosen as read or not: a call takes many, and does all of it or nothing. */
export const ReadBar: FC<Props> = ({ rows, clear }) => {
  const t = useT()
  const { busy, run } = useAction(async (asked: { ids: readonly string[]; Read: boolean }, send) => {
    const { ids, Read } = asked
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const NotificationIDs = ids.slice(from, from + AT_ONCE)
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
