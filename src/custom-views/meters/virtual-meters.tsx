import { useQuery } from '@tanstack/react-query'
import { Button, Card } from 'antd'
import { useState } from 'react'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import type { VirtualMeter } from '../../../contract/meters/virtual-meter.ts'
import { nextStart, startOf } from '../../../contract/time/periods.ts'
import { callQuery } from '../../data/api.ts'
import { describeRight } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { totalOf } from '../../domain/energy/totals.ts'
import { useRoles } from '../../domain/energy/use-roles.ts'
import page from '../../ui/page/page.module.css'
import type { Guard, Place } from './common/place.ts'
import { useVirtualMeters } from './common/use-meters.ts'
import { VirtualLine } from './virtual-line.tsx'
import { VirtualMeterForm } from './virtual-meter-form.tsx'

const REFETCH_INTERVAL_MS = 300_000

export function VirtualMeters({ place, guard }: { place: Place; guard: Guard }) {
  const t = useT()
  const mayAdd = useMay('electricity', 'Create')
  const mayChange = useMay('electricity', 'Update')
  const roles = useRoles(place.homeId)
  const query = useVirtualMeters(place.homeId)
  const [editing, edit] = useState<VirtualMeter | 'new'>()
  const ids = (query.data ?? []).map(({ VirtualMeterID }) => VirtualMeterID)
  const from = startOf('month', useNow(), place.zone)
  const energy = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: place.homeId,
      From: from,
      To: nextStart('month', from, place.zone),
      Resolution: 'month',
      By: 'meter',
      PeripheralUIDs: ids,
    }),
    enabled: ids.length > 0,
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const ofMonth = (id: string) => totalOf(energy.data?.Series.find(({ Key }) => Key === id)?.Points ?? [])
  const add = mayAdd && (
    <Button type="primary" disabled={place.meters.size === 0} onClick={() => edit('new')}>
      {t('meters:virtual.add')}
    </Button>
  )
  return (
    <Card title={t('meters:virtual.title')} extra={(query.data?.length ?? 0) > 0 && add}>
      <p className={page.hint}>{t('meters:virtual.why')}</p>
      {!mayAdd && !mayChange && (
        <p className={page.hint}>{describeRight({ feature: 'electricity', operation: 'Update' })}</p>
      )}
      {query.data ? (
        query.data.length === 0 ? (
          <EmptyState message={t('meters:virtual.none')} next={add} />
        ) : (
          <ul className={page.rows} aria-label={t('meters:virtual.title')}>
            {query.data.map((virtual) => (
              <VirtualLine
                key={virtual.VirtualMeterID}
                place={place}
                meter={virtual}
                role={roles?.saidOf(virtual.VirtualMeterID)}
                energy={ofMonth(virtual.VirtualMeterID)}
                failed={energy.error !== null}
                edit={() => edit(virtual)}
              />
            ))}
          </ul>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={3} />
      )}
      {editing && (
        <VirtualMeterForm
          key={editing === 'new' ? 'new' : editing.VirtualMeterID}
          place={place}
          guard={guard}
          meter={editing === 'new' ? undefined : editing}
          close={() => {
            guard.setDirty(false)
            edit(undefined)
          }}
        />
      )}
    </Card>
  )
}
