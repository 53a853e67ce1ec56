import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import { reportFaults, type ReportFault } from '../../../contract/setup/calls.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useDeviceFieldWords } from '../../domain/devices/field-words.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { hasText, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import { describeFailure } from '../../data/failure.ts'

export const NotLoaded: FC<{ query: { error: unknown; refetch: () => unknown } }> = ({ query }) => {
  const t = useT()
  return (
    <Alert
      type="warning"
      showIcon
      message={describeFailure(query.error)}
      action={
        <Button size="small" onClick={() => void query.refetch()}>
          {t('screens:retry')}
        </Button>
      }
    />
  )
}

const REFETCH_INTERVAL_MS = 30_000
const UNITS = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

/** Duration in its largest suitable unit, e.g. "8 minutes". */
function formatLength(ms: number, language: string): string {
  const [unit, size] = UNITS.findLast(([, unitMs]) => ms >= unitMs * 2) ?? UNITS[0]
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(ms / size),
  )
}

interface Props {
  homeId: string
  thingName: string
  /** Device whose faults are shown; undefined shows those of the whole hub. */
  device?: Peripheral
  /** Devices of the hub, for their names. */
  devices?: readonly Peripheral[] | undefined
}

/** Values that a hub sent and the gateway could not use: field, value, count and since when. */
export const ReportFaults: FC<Props> = ({ homeId, thingName, device, devices }) => {
  const t = useT()
  const query = useQuery({
    ...callQuery(reportFaults.listReportFault, { HomeID: homeId, ThingName: thingName }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const faults = query.data?.filter((fault) => !device || isAbout(fault, device.PeripheralUID)) ?? []
  if (query.error && !query.data) return <NotLoaded query={query} />
  if (faults.length === 0) return null
  const open = faults.filter(({ EndedAt }) => EndedAt === null)
  return (
    <section className={`${page.section} ${page.tightStack}`} aria-labelledby="report-faults">
      <h2 id="report-faults">{t('devices:faults.title')}</h2>
      <Alert
        type={open.length > 0 ? 'warning' : 'info'}
        showIcon
        message={t(open.length > 0 ? 'devices:faults.open' : 'devices:faults.over', { count: open.length })}
      />
      <ul className={`${page.rows} ${styles.commands}`}>
        {faults.map((fault) => (
          <FaultLine
            key={[fault.PeripheralUID, fault.Message, fault.Field].join('/')}
            fault={fault}
            homeId={homeId}
            device={device ?? devices?.find(({ PeripheralUID }) => PeripheralUID === fault.PeripheralUID)}
            isOfOne={device !== undefined}
          />
        ))}
      </ul>
    </section>
  )
}

/** Whether a fault concerns a device; a wrong clock of its hub does. */
const isAbout = ({ PeripheralUID, Reason, EndedAt }: ReportFault, uid: string): boolean =>
  PeripheralUID === uid ||
  (PeripheralUID === null && EndedAt === null && (Reason === 'clockAhead' || Reason === 'clockBehind'))

interface LineProps {
  fault: ReportFault
  homeId: string
  device: Peripheral | undefined
  isOfOne: boolean
}

const FaultLine: FC<LineProps> = ({ fault, homeId, device, isOfOne }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(homeId)
  const nameOf = useFaultyField(device)
  const { PeripheralUID, Message, Field, Reason, Came, Count, Since, LastAt, EndedAt } = fault
  const formatTime = (at: number) => formatWhen(at, language, zone)
  const about = [
    ...(isOfOne || PeripheralUID === null ? [] : [device?.PeripheralName ?? PeripheralUID]),
    PeripheralUID === null && !isClock(Reason) ? t(`devices:faults.messages.${Message}`) : undefined,
    isClock(Reason) && PeripheralUID === null ? t('devices:faults.clock') : Field && nameOf(Field),
  ].filter(Boolean)
  return (
    <li>
      <span>
        <b>{about.join(t('devices:faults.join'))}</b>{' '}
        {Reason === 'malformed' && Came !== null
          ? t('devices:faults.reasons.rejected', { came: Came })
          : t(`devices:faults.reasons.${Reason}`, {
              came: Came ?? '',
              offset: isClock(Reason) ? formatLength(Number(Came), language) : '',
            })}
      </span>
      <span>{EndedAt === null ? '' : t('devices:faults.ended', { when: formatTime(EndedAt) })}</span>
      <span>
        {t('devices:faults.count', { count: Count, since: formatTime(Since), last: formatTime(LastAt) })}
      </span>
    </li>
  )
}

const isClock = (reason: ReportFault['Reason']): boolean =>
  reason === 'clockAhead' || reason === 'clockBehind'

/** Name of a field; its path if it has none. */
function useFaultyField(device: Peripheral | undefined): (field: string) => string {
  const t = useT()
  const { nameOf } = useDeviceFieldWords()
  return (field) => {
    if (field === 'Timestamp') return t('devices:faults.timestamp')
    const capability = device && capabilityAt(device.PeripheralType, field)
    if (capability && capability.zone === undefined && capability.field === field)
      return nameOf(capability.capability, field)
    const key: string = `devices:fields.${field}`
    return hasText(key) ? t(key) : field
  }
}
