import { Button, Card, Form } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { home, type Home } from '../../../contract/resources/home.ts'
import { pathTo } from '../../paths.ts'
import { call } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import styles from '../../ui/crud/crud.module.css'
import { RecordForm } from '../../ui/crud/record-form.tsx'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'
import { useLeaveGuard } from '../../ui/crud/use-leave-guard.ts'
import { TimeZoneSelect } from './time-zone-select.tsx'
import { DEFAULT_TIME_ZONE } from './time-zones.ts'

/** Adds a home, then leads to adding its first hub. A company without a home starts here (§4). */
export default function CreateHome() {
  const t = useT()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const guard = useLeaveGuard()

  const submit = async (values: Record<string, unknown>) => {
    setBusy(true)
    try {
      const made = await call(home.operations.create, {
        ...(values as Pick<Home, 'HomeName' | 'TimeZone'>),
        DefaultRoomName: t('screens:createHome.defaultRoom'),
      })
      guard.setDirty(false)
      await refreshAfter('home')
      notices.success(() => t('screens:created'))
      void navigate(pathTo('AddDevices', { HomeID: made.HomeID }))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className={styles.form}>
      <header className={styles.header}>
        <h1>{t('resources:home.create')}</h1>
      </header>
      <p style={{ color: 'var(--muted)' }}>{t('screens:createHome.note')}</p>
      <Card>
        <RecordForm
          resource="home"
          schema={home.operations.create.input}
          fields={['HomeName', { name: 'TimeZone', input: <TimeZoneSelect /> }]}
          form={form}
          initial={{ TimeZone: DEFAULT_TIME_ZONE }}
          onDirty={guard.setDirty}
          submit={submit}
        >
          <div className={styles.actions}>
            <Button onClick={() => void navigate(pathTo('HomeList'))}>{t('screens:cancel')}</Button>
            <Button type="primary" htmlType="submit" loading={busy}>
              {t('resources:home.create')}
            </Button>
          </div>
        </RecordForm>
      </Card>
    </section>
  )
}
