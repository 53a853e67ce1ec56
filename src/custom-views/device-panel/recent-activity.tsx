import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { type FC, useEffect, useState } from 'react'
import { commands, type Command } from '../../../contract/devices/command-calls.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { formatAge } from '../../lib/format-age.ts'
import { callQuery } from '../../data/api.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../ui/page/states.tsx'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useCommandWords } from '../../domain/devices/commands/command-words.ts'
import { useContainers } from '../../domain/devices/ir-remote/use-containers.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { capabilityAt } from '../../../contract/devices/kinds/capability-at.ts'
import { eventValuesOf } from '../../../contract/devices/kinds/history-fields.ts'
import { deviceEvents } from '../../../contract/devices/event-calls.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useStatus } from '../../data/status-store.ts'
import { FieldValue } from '../../domain/devices/control/field-value.tsx'
import { usePathWords } from '../../domain/devices/path-words.ts'

const MAX_COMMANDS = 8

const toneOf = ({ State }: Command): Tone =>
  State === 'confirmed' ? 'good' : State === 'failed' || State === 'timedOut' ? 'alarm' : 'plain'

export const RecentCommands: FC<{ device: Peripheral }> = ({ device }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const taughtTo = useContainers(device)
  const inWords = useCommandWords(device, taughtTo.data)
  const query = useQuery({
    ...callQuery(commands.listCommand, {
      HomeID: device.HomeID,
      PeripheralUID: device.PeripheralUID,
      Limit: MAX_COMMANDS,
    }),
  })
  const { refetch } = query

  return (
    <section className={page.section}>
      <h2>{t('devices:commands.title')}</h2>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={`${page.hint} ${page.below8}`}>{t('devices:commands.none')}</p>
        ) : (
          <ul className={`${page.rows} ${styles.commands}`}>
            {query.data.map((command) => (
              <li key={command.RequestID}>
                <span>{inWords(command.Values)}</span>
                <StateTag tone={toneOf(command)}>{t(`devices:commands.states.${command.State}`)}</StateTag>
                <span>
                  {command.By ?? t(`devices:commands.sources.${command.Source}`)}
                  {command.Reason && ` · ${t(`errors:command.${command.Reason}`)}`}
                </span>
                <time dateTime={new Date(command.RequestedAt).toISOString()}>
                  {formatAge(command.RequestedAt, now, language)}
                </time>
              </li>
            ))}
          </ul>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void refetch()} />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      )}
    </section>
  )
}

const DAY = 24 * 3_600_000
const MAX_EVENTS = 20

/**
 * Events of a device in the last 24 hours, newest first: its states, and the connection of its hub.
 *
 * online  whether the hub is connected; undefined if unknown
 */
export const DeviceEvents: FC<{ device: Peripheral; online: boolean | undefined }> = ({ device, online }) => {
  const t = useT()
  const language = useLanguage()
  const { nameOf } = usePathWords(device, false)
  const status = useStatus(device.PeripheralUID)
  const [since] = useState(() => gatewayNow() - DAY)
  const { HomeID, PeripheralUID, PeripheralType } = device
  const timeZone = useTimeZone(HomeID)
  const query = useQuery(
    callQuery(deviceEvents.listDeviceEvent, { HomeID, PeripheralUID, Since: since, Limit: MAX_EVENTS }),
  )
  const { refetch } = query
  const states = JSON.stringify([online, eventValuesOf(PeripheralType, status ?? {})])
  useEffect(() => {
    void refetch()
    // Refetches when a state changes, not a numeric value.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [states, refetch])

  return (
    <section className={page.section}>
      <h2>{t('devices:events.title')}</h2>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={`${page.hint} ${page.below8}`}>{t('devices:events.none')}</p>
        ) : (
          <ol className={`${page.rows} ${page.spreadRows}`}>
            {query.data.map(({ Seq, Timestamp, Field, Value }) => {
              const capability = capabilityAt(PeripheralType, Field, status)
              return (
                <li key={Seq}>
                  <time className={page.small} dateTime={new Date(Timestamp).toISOString()}>
                    {formatWhen(Timestamp, language, timeZone, 'second')}
                  </time>
                  <span>{nameOf(Field)}</span>
                  {capability && (
                    <FieldValue capability={capability.capability} field={capability.field} value={Value} />
                  )}
                </li>
              )
            })}
          </ol>
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void refetch()} />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      )}
    </section>
  )
}
