import { Button, Card } from 'antd'
import { useNavigate } from 'react-router'
import { right } from '../../../contract/features.ts'
import { home } from '../../../contract/resources/home.ts'
import { pathTo } from '../../paths.ts'
import { oldAnswers } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { MissingRight } from '../../shell/missing-right.tsx'
import styles from '../../record-kit/crud.module.css'
import { RecordForm } from '../../record-kit/record-form.tsx'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'
import { DEFAULT_TIME_ZONE } from '../../lib/time-zones.ts'

/** Adds a home, then leads to adding its first hub. A company without a home starts here (§4). */
export default function CreateHome() {
  const t = useT()
  const navigate = useNavigate()
  const { form, busy, save } = useRecordForm(home)
  const guard = useLeaveGuard()
  const may = useMay('home', 'Create')

  const submit = async (values: Record<string, unknown>) => {
    const { HomeID } = await save({ ...values, DefaultRoomName: t('screens:createHome.defaultRoom') })
    guard.setDirty(false)
    // The page is of a home that the list must have.
    await oldAnswers.renewed()
    void navigate(pathTo('AddDevices', { HomeID: HomeID as string }))
  }

  return (
    <section className={styles.form}>
      <header className={styles.header}>
        <h1>{t('resources:home.create')}</h1>
      </header>
      <p style={{ color: 'var(--muted)' }}>{t('screens:createHome.note')}</p>
      {!may && <MissingRight right={right('home', 'Create')} />}
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
            <Button type="primary" htmlType="submit" loading={busy} disabled={!may}>
              {t('resources:home.create')}
            </Button>
          </div>
        </RecordForm>
      </Card>
    </section>
  )
}
