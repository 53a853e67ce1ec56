import { useNavigate } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/time-zones.ts'
import { pathTo } from '../../paths.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { fields } from './fields.tsx'

/** Adds a home, then leads to adding its first hub. A company without a home starts here (§4). */
export function CreateHome() {
  const t = useT()
  const navigate = useNavigate()
  const edited = useRecordForm('home', undefined, {
    toInput: (values) => ({ ...values, DefaultRoomName: t('screens:createHome.defaultRoom') }),
  })
  return (
    <RecordPage title={t('resources:home.create')} small>
      <p style={{ color: 'var(--muted)' }}>{t('screens:createHome.note')}</p>
      <FormCard
        resource="home"
        edited={edited}
        record={undefined}
        fields={fields}
        columns={false}
        initial={{ TimeZone: DEFAULT_TIME_ZONE }}
        submitText={t('resources:home.create')}
        cancelTo={pathTo('HomeList')}
        submit={async (values) => {
          const made = await edited.save(values)
          if (made) void navigate(pathTo('AddDevices', { HomeID: made['HomeID'] as string }))
        }}
      />
    </RecordPage>
  )
}
