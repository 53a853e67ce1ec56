import { Button, Drawer, Empty } from 'antd'
import { useEffect } from 'react'
import dayjs from 'dayjs'
import { useT } from '../lib/i18n/i18n.ts'
import { notices, useBell } from '../data/notices.ts'

/** What failed in the background, newest first. Looking at it marks it read. */
export function BellPanel({ onClose }: { onClose: () => void }) {
  const t = useT()
  const list = useBell()
  useEffect(() => {
    notices.readAll()
  }, [])
  return (
    <Drawer
      open
      onClose={onClose}
      title={t('shell:bell.title')}
      placement="right"
      extra={
        list.length > 0 && (
          <Button size="small" onClick={notices.clear}>
            {t('shell:bell.clear')}
          </Button>
        )
      }
    >
      {list.length === 0 && (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('shell:bell.empty')} />
      )}
      <ul className="bell-list">
        {list.map((notice) => (
          <li key={notice.id}>
            <p>{notice.text()}</p>
            {notice.detail && <code>{notice.detail}</code>}
            <time dateTime={new Date(notice.at).toISOString()}>
              {dayjs(notice.at).format('YYYY-MM-DD HH:mm:ss')}
            </time>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
