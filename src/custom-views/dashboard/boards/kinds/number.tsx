import { drawnFields } from '../../../../../contract/devices/kinds/field-shape.ts'
import { silentAfter } from '../../../../../contract/devices/device-health.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { useDevices } from '../../../../data/homes.ts'
import { useStatus } from '../../../../data/status-store.ts'
import type { DeviceRow } from '../../../../domain/devices/device-rows.ts'
import { useDeviceFieldWords } from '../../../../domain/devices/field-words.ts'
import { freshness } from '../../../../domain/devices/freshness.ts'
import { formatAge } from '../../../../lib/format-age.ts'
import { useLanguage, useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'
import { useNow } from '../../../../ui/page/use-now.ts'
import { StateTag } from '../../../../ui/tags/state-tag.tsx'
import { FieldValue } from '../../../../domain/devices/control/field-value.tsx'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import { linesOf } from '../../common/overview.ts'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

export default function NumberCard({ card, title, homes }: CardProps<'number'>) {
  const t = useT()
  const { HomeID, PeripheralUID, Field } = card
  const query = useDevices(HomeID)
  const { nameOf } = useDeviceFieldWords()
  const row = query.data && linesOf(query.data).find(({ id }) => id === PeripheralUID)
  const capability = row?.type?.capabilities.find((candidate) => drawnFields(candidate).includes(Field))
  return (
    <CardFrame
      title={title ?? (capability ? nameOf(capability, Field) : t('boards:kinds.number.name'))}
      to={row && pathTo('DeviceInfo', { HomeID, peripheralID: PeripheralUID })}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {row && capability ? (
          <Value row={row} capability={capability} field={Field} />
        ) : (
          <Empty why={t('boards:deviceGone')} />
        )}
      </QueryCard>
    </CardFrame>
  )
}

interface ValueProps {
  row: DeviceRow
  capability: NonNullable<DeviceRow['type']>['capabilities'][number]
  field: string
}

function Value({ row, capability, field }: ValueProps) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(row.id)
  const { device, hub } = row
  const state = freshness({
    hubOnline: hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: device?.PowerMeterUpdateFrequency ?? Infinity,
    reports: capability.name === 'meter',
    silentAfter: device ? silentAfter(device) : null,
    now,
  })
  return (
    <>
      <p className={state === 'current' ? page.lead : `${page.lead} ${page.stale}`}>
        <FieldValue capability={capability} field={field} value={status?.[field]} large />
      </p>
      <p className={page.small}>{row.name}</p>
      {state !== 'current' && (
        <p>
          <StateTag tone={state === 'stale' || state === 'silent' ? 'warning' : 'offline'}>
            {t(`devices:freshness.${state}`)}
          </StateTag>
        </p>
      )}
      {status && (
        <p className={page.small}>
          {t('devices:reported', { age: formatAge(status.Timestamp, now, language) })}
        </p>
      )}
    </>
  )
}
