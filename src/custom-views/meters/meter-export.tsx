import type { FC } from 'react'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { meterFreshness } from '../../domain/energy/meter-freshness.ts'
import { useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListExport } from '../../record-kit/export/list-export.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import type { MeterRow } from './common/use-meters.ts'
import type { Place } from './common/place.ts'

interface Props {
  place: Place
  rows: readonly MeterRow[]
  byId: ReadonlyMap<string, HistoryStatus>
}

/** Exports the meters to a file in tree order: last reading, its freshness, and energy, unrounded. */
export const MeterExport: FC<Props> = ({ place, rows, byId }) => {
  const t = useT()
  const statusOf = (row: MeterRow) => (row.kind === 'meter' ? byId.get(row.PeripheralUID) : undefined)
  const now = useNow()
  const devices = useDevices(place.homeId).data
  const freshnessOf = (row: MeterRow) => {
    const status = statusOf(row)
    const hub = devices?.Peripherals.find((device) => device.PeripheralUID === row.PeripheralUID)?.ThingName
    const hubOnline = devices?.Things.find(({ ThingName }) => ThingName === hub)?.Online
    return status ? t(`devices:freshness.${meterFreshness(status, hubOnline, now)}`) : null
  }
  const kWh = (title: string) => `${title} (kWh)`
  return (
    <ListExport<MeterRow>
      name={t('shell:pages.Meters')}
      right={{ feature: 'electricity_download', operation: 'Export' }}
      zone={place.zone}
      rows={rows}
      columns={[
        {
          title: t('energy:meter'),
          of: (row) => (row.kind === 'meter' ? place.nameOf(row.PeripheralUID) : t('energy:untracked')),
        },
        { title: t('devices:columns.id'), of: (row) => (row.kind === 'meter' ? row.PeripheralUID : null) },
        { title: kWh(t('energy:last.counter')), of: (row) => statusOf(row)?.AccumulatePower ?? null },
        { title: t('meters:lastReading'), at: (row) => statusOf(row)?.LastUpdateTimestamp ?? null },
        { title: t('meters:lastReadingState'), of: freshnessOf },
        { title: kWh(t('energy:last.day')), of: (row) => row.today },
        { title: kWh(t('energy:last.month')), of: (row) => row.month },
      ]}
    />
  )
}
