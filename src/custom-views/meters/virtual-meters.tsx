import { useQuery } from '@tanstack/react-query'
import { Button, Card } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { meterData, type Coverage } from '../../../contract/procedures/meter-data.ts'
import { virtualMeter, type VirtualMeter } from '../../../contract/resources/virtual-meter.ts'
import { after, startOf } from '../../../contract/rules/energy/periods.ts'
import { pathTo } from '../../paths.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeRight } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { useConfirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { Figure } from '../../ui/tags/power-value.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { LazyRulesWarning } from '../automation/parts/lazy-users-warning.tsx'
import { missingShare, totalOf } from '../../domain/energy/totals.ts'
import { formatLack, useFigures } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './meters.module.css'
import type { Guard, Place } from './place.ts'
import { useVirtualMeters } from './use-meters.ts'
import { VirtualMeterForm } from './virtual-meter-form.tsx'

const LOOK_EVERY = 300_000

/** Where its energy is shown over time. */
const pageOf = ({ HomeID, VirtualMeterID }: VirtualMeter) =>
  `${pathTo('Electricity', { HomeID })}?range=month&meters=${encodeURIComponent(VirtualMeterID)}`

/** Sums and differences of meters, with what each counted this month. */
export function VirtualMeters({ place, guard }: { place: Place; guard: Guard }) {
  const t = useT()
  const figures = useFigures()
  const confirm = useConfirmRemoval()
  const mayAdd = useMay('electricity', 'Create')
  const mayChange = useMay('electricity', 'Update')
  const mayRemove = useMay('electricity', 'Delete')
  const query = useVirtualMeters(place.homeId)
  const [editing, edit] = useState<VirtualMeter | 'new'>()
  const ids = (query.data ?? []).map(({ VirtualMeterID }) => VirtualMeterID)
  const from = startOf('month', useNow(), place.zone)
  const energy = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: place.homeId,
      From: from,
      To: after('month', from, place.zone),
      Resolution: 'month',
      By: 'meter',
      PeripheralUIDs: ids,
    }),
    enabled: ids.length > 0,
    refetchInterval: LOOK_EVERY,
  })
  const ofMonth = (id: string) => totalOf(energy.data?.Series.find(({ Key }) => Key === id)?.Points ?? [])
  const add = mayAdd && (
    <Button type="primary" disabled={place.meters.size === 0} onClick={() => edit('new')}>
      {t('meters:virtual.add')}
    </Button>
  )
  const remove = ({ HomeID, VirtualMeterID, VirtualMeterName }: VirtualMeter) =>
    confirm({
      name: VirtualMeterName,
      consequence: (
        <>
          <p>{t('meters:virtual.removeText')}</p>
          <LazyRulesWarning named={{ HomeID, VirtualMeterID }} />
        </>
      ),
      remove: async () => {
        await call(virtualMeter.operations.remove, { HomeID, VirtualMeterID })
      },
    })
  return (
    <Card title={t('meters:virtual.title')} extra={(query.data?.length ?? 0) > 0 && add}>
      <p className={page.hint}>{t('meters:virtual.why')}</p>
      {!mayAdd && !mayChange && (
        <p className={page.hint}>{describeRight({ feature: 'electricity', operation: 'Update' })}</p>
      )}
      {query.data ? (
        query.data.length === 0 ? (
          <Nothing why={t('meters:virtual.none')} next={add} />
        ) : (
          <ul className={styles.list} aria-label={t('meters:virtual.title')}>
            {query.data.map((one) => (
              <li key={one.VirtualMeterID} className={page.spread}>
                <div>
                  <strong>
                    <Link to={pageOf(one)}>{one.VirtualMeterName}</Link>
                  </strong>
                  <div className={page.hint}>
                    {one.Terms.map(
                      ({ PeripheralUID, Factor }) =>
                        `${Factor > 0 ? '+' : '−'} ${place.nameOf(PeripheralUID)}`,
                    ).join('  ')}
                  </div>
                  <div>
                    {t('energy:last.month')}{' '}
                    <Figure value={figures(ofMonth(one.VirtualMeterID).kWh)} unit="kWh" />
                    <Lack coverage={ofMonth(one.VirtualMeterID).Coverage} />
                    {energy.error && <span className={page.fault}> {t('screens:loadFailed')}</span>}
                  </div>
                </div>
                <div className={page.buttons}>
                  {mayChange && (
                    <Button
                      aria-label={t('screens:list.edit', { name: one.VirtualMeterName })}
                      onClick={() => edit(one)}
                    >
                      {t('meters:virtual.edit')}
                    </Button>
                  )}
                  {mayRemove && (
                    <Button
                      danger
                      aria-label={t('screens:list.remove', { name: one.VirtualMeterName })}
                      onClick={() => remove(one)}
                    >
                      {t('screens:remove.ok')}
                    </Button>
                  )}
                </div>
              </li>
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

/** How much of its meters' time is not known: of a difference that makes the figure too large, of a sum too small. */
function Lack({ coverage }: { coverage: Coverage }) {
  const t = useT()
  const share = missingShare(coverage)
  if (share === 0) return null
  return <span className={page.hint}> {t('energy:missingShare', { share: formatLack(share) })}</span>
}
