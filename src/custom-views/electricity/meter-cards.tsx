import { Link } from 'react-router'
import type { HistoryStatus } from '../../../contract/energy/meter-data-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { Figure, PowerValue } from '../../ui/tags/power-value.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { meterFreshness } from '../../domain/energy/meter-freshness.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

interface Props {
  homeId: string
  statuses: readonly HistoryStatus[]
  meters: ReadonlyMap<string, NamedMeter>
}

/** Last reading of every meter; distinguishes offline, never reported and stale. */
export function MeterCards({ homeId, statuses, meters }: Props) {
  const devices = useDevices(homeId).data
  const online = new Map(devices?.Things.map(({ ThingName, Online }) => [ThingName, Online]))
  const hubOf = new Map(
    devices?.Peripherals.map(({ PeripheralUID, ThingName }) => [PeripheralUID, ThingName]),
  )
  const byId = new Map(statuses.map((status) => [status.PeripheralUID, status]))
  return (
    <ul className={styles.cards}>
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
  const figures = useEnergyFormat()
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
    <li className={`${page.box} ${styles.meter} ${freshness === 'current' ? '' : styles.old}`}>
      <h3>
        {mayOpenDevice ? (
          <Link to={pathTo('DeviceInfo', { HomeID, peripheralID: PeripheralUID })}>{name}</Link>
        ) : (
          name
        )}
      </h3>
      <p className={styles.power}>
        {Power === null ? <Figure value="–" unit="kW" large /> : <PowerValue watts={Power} large />}
        {freshness === 'offline' && <StateTag tone="offline">{t('energy:offline')}</StateTag>}
        {freshness === 'none' && <StateTag tone="plain">{t('energy:noReading')}</StateTag>}
        {freshness === 'stale' && <StateTag tone="warning">{t('energy:stale')}</StateTag>}
      </p>
      <dl>
        {rows.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`energy:last.${key}`)}</dt>
            <dd>
              <Figure value={figures(value)} unit="kWh" />
            </dd>
          </div>
        ))}
      </dl>
      {at !== null && <p className={page.small}>{t('energy:read', { age: formatAge(at, now, language) })}</p>}
    </li>
  )
}
