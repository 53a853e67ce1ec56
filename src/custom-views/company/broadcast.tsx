import { SendOutlined } from '@ant-design/icons'
import { Button, Card } from 'antd'
import { useState } from 'react'
import { MAX_BROADCASTS_PER_DAY } from '../../../contract/notifications/push-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import BroadcastDialog from './broadcast-dialog.tsx'

/** Card with a button for a message to the company's people, for users who may change the company. */
export default function Broadcast() {
  const t = useT()
  const [writes, setWrites] = useState(false)
  return (
    <Card title={t('push:broadcast.title')}>
      <p className={page.note}>{t('push:broadcast.note', { most: MAX_BROADCASTS_PER_DAY })}</p>
      <Button icon={<SendOutlined />} onClick={() => setWrites(true)}>
        {t('push:broadcast.open')}
      </Button>
      {writes && <BroadcastDialog close={() => setWrites(false)} />}
    </Card>
  )
}
