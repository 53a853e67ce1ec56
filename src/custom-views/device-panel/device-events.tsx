import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useEffect, useState, type FC } from 'react'
import type { Capability } from '../../../contract/device-kinds/capability.ts'
import { applies } from '../../../contract/device-kinds/capability.ts'
import { fieldShape } from '../../../contract/device-kinds/field-shape.ts'
import { deviceEvents } from '../../../contract/procedures/device-events.ts'
import type { Peripheral } from '../../../contract/resources/peripheral.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useStatus } from '../../data/status-store.ts'
import { LoadFailed } from '../../ui/page/states.tsx'
import { FieldValue } from '../device-control/field-value.tsx'
import { useFieldWords } from '../../domain/device/field-words.ts'
import styles from './device-panel.module.css'

const DAY = 24 * 3_600_000
const SHOWN = 20

/** Whether something of the capability can happen, rather than be measured. */
const hasStates = (capability: Capability): boolean =>
  capability.name !== 'meter' &&
  Object.keys(capability.status).some((field) =>
    ['onOff', 'choice'].includes(fieldShape(capability, field).as),
  )

/** What happened at a device in the last 24 hours, newest first; nothing at all for one at which nothing can. */
export const DeviceEvents: FC<{ device: Peripheral; capabilities: readonly Capability[] }> = ({
  device,
  capabilities,
}) => {
  const t = useT()
  const language = useLanguage()
  const { nameOf } = useFieldWords()
  const status = useStatus(device.PeripheralUID)
  const able = capabilities.filter(hasStates)
  const [since] = useState(() => gatewayNow() - DAY)
  const { HomeID, PeripheralUID } = device
  const timeZone = useTimeZone(HomeID)
  const query = useQuery({
    ...callQuery(deviceEvents.listDeviceEvent, { HomeID, PeripheralUID, Since: since, Limit: SHOWN }),
    enabled: able.length > 0,
  })
  const { refetch } = query
  const fields = able.flatMap((capability) => Object.keys(capability.status))
  const states = JSON.stringify(fields.map((field) => status?.[field] ?? null))
  useEffect(() => {
    if (able.length > 0) void refetch()
    // The list is read again when a state changes, not when a figure does.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [states, refetch])
  if (able.length === 0) return null

  const time = new Intl.DateTimeFormat(language, {
    timeZone,
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return (
    <section className={styles.section}>
      <h2>{t('devices:events.title')}</h2>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={styles.note}>{t('devices:events.none')}</p>
        ) : (
          <ol className={styles.events}>
            {query.data.map(({ Timestamp, Field, Value }) => {
              const capability = able.find((one) => Field in one.status && applies(one, status))
              return (
                <li key={`${Timestamp}-${Field}`}>
                  <time dateTime={new Date(Timestamp).toISOString()}>{time.format(Timestamp)}</time>
                  {capability ? (
                    <>
                      <span>{nameOf(capability, Field)}</span>
                      <FieldValue capability={capability} field={Field} value={Value} />
                    </>
                  ) : (
                    <span>{Field}</span>
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
