import { useReadingFormat } from '../../domain/energy/use-figures.ts'
import { formatEnergy } from '../../../contract/kernel/numbers.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { defaultRoleOf } from '../../../contract/devices/meter-roles.ts'
import { useMeterTree } from '../../domain/energy/use-meter-tree.ts'
import type { Roles } from '../../domain/energy/use-roles.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { lazyPart, plainPart } from '../../ui/page/lazy.tsx'
import { PlainCard } from '../../ui/page/plain-card.tsx'
import { PlainTabs } from '../../ui/plain/plain-tabs.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import type { Period } from '../../ui/inputs/period-picker/period.ts'
import { PARTS, type EnergyAddress } from './address.ts'
import page from '../../ui/page/page.module.css'
import { meterForest } from './meter-forest.ts'
import { RankingPart } from './ranking.tsx'
import { useRanked } from './use-ranked.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { AmountValue, Figure, PowerValue } from '../../ui/tags/power-value.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './electricity.module.css'
import { meterFreshness } from '../../domain/energy/meter-freshness.ts'

const fallback = <ListSkeleton rows={6} />
const MeterTree = lazyPart(() => import('./meter-tree.tsx'), { fallback })
const FlowView = plainPart(() => import('./flow-view.tsx'), { fallback })

interface Props {
  homeId: string
  zone: string
  period: Period
  /** The compared period, if any. */
  usedPeriod: Period | undefined
  now: number
  address: EnergyAddress
  meters: ReadonlyMap<string, NamedMeter>
  /** Virtual meters; undefined while they load. */
  virtual: ReadonlyMap<string, NamedMeter> | undefined
  statuses: readonly HistoryStatus[]
  refetchMs: number | false
  /** Undefined while they load. */
  roles: Roles | undefined
}

/** Breakdown of the period's energy in three views, and the present state of the meters. */
export default function Parts(props: Props) {
  const {
    homeId,
    zone,
    period,
    usedPeriod,
    now,
    address,
    meters: all,
    virtual,
    statuses,
    refetchMs,
    roles,
  } = props
  const t = useT()
  const tree = useMeterTree(homeId, all, virtual, roles)
  // Only loads use energy; other roles import, sell or store it.
  const meters = useMemo(
    () => new Map([...tree].filter(([id]) => (roles?.roleOf(id) ?? defaultRoleOf(id)) === 'load')),
    [tree, roles],
  )
  const isCompared = address.part === 'ranking' || address.part === 'tree'
  const queryInput = { homeId, zone, period, usedPeriod: isCompared ? usedPeriod : undefined, now, refetchMs }
  const { query, ranked } = useRanked(queryInput, 'meter', [...meters.keys()].toSorted(), true)
  const { series } = ranked
  const forest = useMemo(() => series && meterForest([...meters.values()], series), [series, meters])
  const { measure, part } = address
  const renderPart = () => {
    if (part === 'meters') return <MeterCards homeId={homeId} statuses={statuses} meters={all} />
    if (!forest)
      return query.error ? <LoadFailed error={query.error} retry={() => void query.refetch()} /> : fallback
    const props = { meters, measure, span: period }
    return (
      <div className={query.isPlaceholderData ? page.stale : undefined}>
        {part === 'ranking' && (
          <RankingPart
            query={queryInput}
            address={address}
            meters={meters}
            forest={forest}
            ofMeters={ranked}
          />
        )}
        {part === 'tree' && <MeterTree homeId={homeId} forest={forest} ranked={ranked} {...props} />}
        {part === 'flow' && <FlowView forest={forest} {...props} />}
      </div>
    )
  }
  return (
    <PlainCard>
      <PlainTabs
        tabs={PARTS.map((key) => ({ key, label: t(`energy:parts.${key}`) }))}
        activeKey={part}
        choose={(next) => address.change({ part: next })}
      >
        {renderPart()}
      </PlainTabs>
    </PlainCard>
  )
}

interface MeterCardsProps {
  homeId: string
  statuses: readonly HistoryStatus[]
  meters: ReadonlyMap<string, NamedMeter>
}

/** Last reading of every meter; distinguishes offline, never reported and stale. */
function MeterCards({ homeId, statuses, meters }: MeterCardsProps) {
  const devices = useDevices(homeId).data
  const online = new Map(devices?.Things.map(({ ThingName, Online }) => [ThingName, Online]))
  const hubOf = new Map(
    devices?.Peripherals.map(({ PeripheralUID, ThingName }) => [PeripheralUID, ThingName]),
  )
  const byId = new Map(statuses.map((status) => [status.PeripheralUID, status]))
  return (
    <ul className={page.fields}>
      {[...meters.values()].map(({ PeripheralUID, name }) => {
        const status = byId.get(PeripheralUID)
        const hub = hubOf.get(PeripheralUID)
        return (
          status && (
            <MeterCard
              key={PeripheralUID}
              name={name}
              status={status}
              hubOnline={hub ? online.get(hub) : undefined}
            />
          )
        )
      })}
    </ul>
  )
}

function MeterCard(props: { name: string; status: HistoryStatus; hubOnline: boolean | undefined }) {
  const { name, status, hubOnline } = props
  const t = useT()
  const language = useLanguage()
  const readingOf = useReadingFormat()
  const now = useNow()
  const mayOpenDevice = useMay('device', 'Read')
  const { LastUpdateTimestamp: at, Power, HomeID, PeripheralUID } = status
  const freshness = meterFreshness(status, hubOnline, now)
  const rows = [
    ['hour', status.HourlyKwh],
    ['day', status.DailyKwh],
    ['month', status.MonthlyKwh],
    ['counter', status.AccumulatePower],
  ] as const
  return (
    <li
      className={`${page.box} ${page.padded} ${page.tightStack} ${page.links} ${freshness === 'current' ? '' : styles.old}`}
    >
      <h3>
        {mayOpenDevice ? (
          <Link to={pathTo('DeviceInfo', { HomeID, peripheralID: PeripheralUID })}>{name}</Link>
        ) : (
          name
        )}
      </h3>
      <p className={page.lead}>
        {Power === null ? <Figure value="–" unit="kW" large /> : <PowerValue watts={Power} large />}
        {freshness === 'offline' && <StateTag tone="offline">{t('energy:offline')}</StateTag>}
        {freshness === 'none' && <StateTag tone="plain">{t('energy:noReading')}</StateTag>}
        {freshness === 'stale' && <StateTag tone="warning">{t('energy:stale')}</StateTag>}
      </p>
      <dl className={`${page.halves} ${page.measures}`}>
        {rows.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`energy:last.${key}`)}</dt>
            <dd>
              {key === 'counter' ? (
                <Figure value={readingOf(value)} unit="kWh" />
              ) : (
                <AmountValue amount={formatEnergy(value)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {at !== null && <p className={page.small}>{t('energy:read', { age: formatAge(at, now, language) })}</p>}
    </li>
  )
}
