import ExportOutlined from '@ant-design/icons-svg/es/asn/ExportOutlined.js'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useTimeZone } from '../../data/homes.ts'
import { loadNamespaces, t, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { FilterBar } from '../../ui/filter-bar/filter-bar.tsx'
import { PeriodPicker, useCompareFilter } from '../../ui/inputs/period-picker/period-picker.tsx'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { Icon } from '../../ui/plain/icon.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { PlainCard } from '../../ui/page/plain-card.tsx'
import { lazyPart, plainPart } from '../../ui/page/lazy.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { ImportLink } from '../../ui/page/page-links.tsx'
import { useEnergyAddress } from './address.ts'
import { openingRange, storeRange } from './opening-range.ts'
import { useControls } from './controls.tsx'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { EnergyChart } from './energy-chart.tsx'
import { Summary } from './summary.tsx'
import { useEnergy, refetchDelay } from './use-energy.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useRoles } from '../../domain/energy/use-roles.ts'
import { wholeOf } from '../../domain/energy/totals.ts'
import {
  isVirtual,
  useNamedMeters,
  useVirtualMeterNames,
  type NamedMeter,
} from '../../domain/energy/use-names.ts'

const Coming = ({ title }: { title: string }) => (
  <PlainCard title={title}>
    <ListSkeleton rows={6} />
  </PlainCard>
)
const BalanceCard = plainPart(() => import('./balance/balance-card.tsx'), {
  fallback: () => <Coming title={t('balance:title')} />,
})
const Parts = plainPart(() => import('./parts.tsx'), {
  fallback: ({ address }) => <Coming title={t(`energy:parts.${address.part}`)} />,
})

const EnergyViews = lazyPart(
  async () => (await Promise.all([import('./energy-views.tsx'), loadNamespaces(['lists'])]))[0],
  { fallback: <span className={styles.views} aria-busy="true" /> },
)

/** Energy of a home: totals, chart, ranking and flow, and its meters. */
export default function ElectricityPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const zone = useTimeZone(HomeID)
  const mayExport = useMay('history', 'Read')
  const { search } = useLocation()
  const query = useMeters(HomeID)
  return (
    <Page
      title={t('shell:pages.Electricity')}
      className={styles.page}
      actions={
        (query.data?.length ?? 0) > 0 && (
          <>
            {zone !== undefined && <EnergyViews homeId={HomeID} zone={zone} />}
            <ImportLink button homeId={HomeID} />
            {mayExport && (
              <ButtonLink to={`${pathTo('Export', { HomeID, kind: 'meter' })}${exportSearch(search)}`}>
                <Icon of={ExportOutlined} /> {t('energy:export')}
              </ButtonLink>
            )}
          </>
        )
      }
      key={HomeID}
    >
      {query.data && zone !== undefined ? (
        query.data.length === 0 ? (
          <NoMeters homeId={HomeID} />
        ) : (
          <Energy homeId={HomeID} zone={zone} statuses={query.data} />
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <PlainCard>
          <ListSkeleton rows={10} />
        </PlainCard>
      )}
    </Page>
  )
}

function exportSearch(search: string): string {
  const range = new URLSearchParams(search).get('range')
  return range ? `?range=${encodeURIComponent(range)}` : ''
}

function NoMeters({ homeId }: { homeId: string }) {
  const t = useT()
  const mayAdd = useMay('device', 'Create')
  return (
    <PlainCard>
      <EmptyState
        drawing="meter"
        message={t(mayAdd ? 'energy:noMeters' : 'energy:noMetersAsk')}
        next={
          mayAdd && (
            <ButtonLink main to={pathTo('AddDevices', { HomeID: homeId })}>
              {t('energy:addMeters')}
            </ButtonLink>
          )
        }
      />
    </PlainCard>
  )
}

interface Props {
  homeId: string
  zone: string
  statuses: readonly HistoryStatus[]
}

function Energy({ homeId, zone, statuses }: Props) {
  const t = useT()
  const now = useNow()
  const [opening] = useState(openingRange)
  const { value, onChange, period, compared, alternative: fallback, zoom } = usePeriod(zone, now, opening)
  useEffect(() => storeRange(value.range), [value.range])
  const address = useEnergyAddress(period.days)
  const meters = useNamedMeters(homeId, statuses)
  const virtual = useVirtualMeterNames(homeId)
  const roles = useRoles(homeId)
  const all = useMemo(() => new Map([...meters, ...(virtual ?? [])]), [meters, virtual])
  const selected = useMemo(
    // Virtual meters are requested before their list has loaded.
    () => address.meters.filter((id) => all.has(id) || (!virtual && isVirtual(id))),
    // The ids as text, because the array changes identity on every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [address.meters.join(), all, virtual],
  )
  const missingCount = address.meters.length - selected.length
  // A link may ask for sources together with meters, or of a home without any.
  const hasSources = selected.length === 0 && roles?.hasBalance !== false
  const by = address.by === 'source' && !hasSources ? 'home' : address.by
  const compare = useCompareFilter(value, onChange, period.days)
  const controls = useControls({
    address: { ...address, by },
    days: period.days,
    meters,
    virtual,
    selected,
    hasSources,
  })
  const overlapping = overlaps(selected, all)
  const frequency = frequencyOf(statuses)
  const energy = useEnergy(
    { homeId, zone, period, compared, fallback, bars: address.bars, by, selectedKeys: selected, now },
    frequency,
  )
  const { whole, parts, starts, ends, before, used, isNone, isCompared, beforeFailed } = energy
  const error = whole.error ?? parts.error
  const loading = whole.isPlaceholderData || parts.isPlaceholderData
  const { bars } = address
  // While another period loads, the previous figures stay in their own period's frame.
  const chartInput = useMemo(() => ({ period, starts, bars, by, before }), [period, starts, bars, by, before])
  const [shownInput, setShownInput] = useState(chartInput)
  if (!loading && shownInput !== chartInput) setShownInput(chartInput)
  const offline = [whole, parts].some(
    ({ data, isPlaceholderData, fetchStatus }) => fetchStatus === 'paused' && (isPlaceholderData || !data),
  )
  return (
    <>
      <FilterBar
        leading={<PeriodPicker value={value} onChange={onChange} zone={zone} />}
        filters={[compare, ...controls]}
      />
      {missingCount > 0 && (
        <span role="status" className={page.warning}>
          {t(selected.length > 0 ? 'energy:goneSome' : 'energy:goneAll', { count: missingCount })}
        </span>
      )}
      {error && !whole.data ? (
        <LoadFailed error={error} retry={() => void Promise.all([whole.refetch(), parts.refetch()])} />
      ) : offline ? (
        <PlainCard>
          <EmptyState message={t('charts:offline')} />
        </PlainCard>
      ) : (
        <>
          <Summary
            homeId={homeId}
            points={whole.data && wholeOf(whole.data.Series)}
            zone={zone}
            period={period}
            range={value.range}
            before={before && !whole.isPlaceholderData ? wholeOf(before.series) : undefined}
            comparing={isCompared && !beforeFailed && !isNone}
            compared={{ period: used, isFallback: before?.isFallback ?? false, isUnavailable: isNone }}
            beforeFailed={beforeFailed}
            overlapping={overlapping}
            isFiltered={selected.length > 0}
            outdated={[whole, parts].some(({ data, error }) => data !== undefined && error !== null)}
            ends={ends}
            meters={whole.data?.Meters}
            computed={whole.data?.ComputedPercent}
            carbon={whole.data?.Carbon}
            now={now}
            measure={address.measure}
            choose={(measure) => address.change({ measure })}
            stale={whole.isPlaceholderData}
          />
          <PlainCard title={t('energy:overTime')}>
            <EnergyChart
              homeId={homeId}
              zone={zone}
              {...(loading ? shownInput : chartInput)}
              zoom={zoom}
              currentSeries={parts.data?.Series}
              loading={loading}
              error={parts.error}
              retry={() => void parts.refetch()}
              measure={address.measure}
              meters={virtual || !selected.some(isVirtual) ? all : undefined}
              selectedName={nameSelected(t, selected, all)}
              summed={!overlapping}
              now={now}
            />
          </PlainCard>
          {roles?.hasBalance && <BalanceCard homeId={homeId} period={period} />}
          <Parts
            homeId={homeId}
            roles={roles}
            zone={zone}
            period={period}
            usedPeriod={used}
            now={now}
            address={address}
            meters={meters}
            virtual={virtual}
            statuses={statuses}
            refetchMs={refetchDelay(period, ends, frequency, now)}
          />
        </>
      )}
    </>
  )
}

/** Seconds between the reports of the meter that reports most often. */
const frequencyOf = (statuses: readonly HistoryStatus[]): number =>
  Math.min(
    DEFAULT_UPDATE_FREQUENCY,
    ...statuses.map(({ PowerMeterUpdateFrequency }) => PowerMeterUpdateFrequency),
  )

/** Name of the chosen meter, or the number of several; undefined if none is chosen. */
function nameSelected(
  t: ReturnType<typeof useT>,
  selected: readonly string[],
  meters: ReadonlyMap<string, NamedMeter>,
): string | undefined {
  const [first] = selected
  if (first === undefined) return undefined
  const single = selected.length === 1 ? meters.get(first) : undefined
  return single?.name ?? t('energy:selectedMeters', { count: selected.length })
}

/**
 * Whether some of the chosen meters may include the same energy, which a sum would count twice: if one is above another, or a virtual meter
 * is among several.
 */
function overlaps(selected: readonly string[], meters: ReadonlyMap<string, NamedMeter>): boolean {
  if (selected.length > 1 && selected.some(isVirtual)) return true
  const selectedIds = new Set(selected)
  return selected.some((id) => {
    const passed = new Set<string>()
    for (let ancestor = meters.get(id)?.ParentMeter; ancestor && !passed.has(ancestor);) {
      if (selectedIds.has(ancestor)) return true
      passed.add(ancestor)
      ancestor = meters.get(ancestor)?.ParentMeter
    }
    return false
  })
}
