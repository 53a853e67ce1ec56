import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { FC } from 'react'
import type { IRContainer } from '../../../contract/device-kinds/capabilities/ir-remote.ts'
import { deviceType } from '../../../contract/device-kinds/registry.ts'
import { commands, type Command } from '../../../contract/procedures/commands.ts'
import type { Peripheral } from '../../../contract/resources/peripheral.ts'
import { formatAge } from '../../lib/format-age.ts'
import { callQuery } from '../../providers/api.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { LoadFailed } from '../../ui/crud/states.tsx'
import { StateTag, type Tone } from '../../ui/state-tag.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useFieldWords } from '../device-control/field-words.ts'
import { useContainers } from '../ir-remote/use-containers.ts'
import styles from './device-detail.module.css'

const SHOWN = 8

const toneOf = ({ State }: Command): Tone =>
  State === 'confirmed' ? 'good' : State === 'failed' || State === 'timedOut' ? 'alarm' : 'plain'

/** The last commands to a device: what, by whom, when, and how it ended. */
export const RecentCommands: FC<{ device: Peripheral }> = ({ device }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const { nameOf, valueOf } = useFieldWords()
  const taughtTo = useContainers(device)
  const capabilities = deviceType(device.PeripheralType)?.capabilities ?? []
  const inWords = ([field, value]: [string, unknown]) => {
    const capability = capabilities.find(({ command }) => field in command)
    if (!capability) return field
    const sent = field === 'SendIR' && (value as Pick<IRContainer, 'ContMID'>).ContMID
    const taught = taughtTo.data?.find(({ ContMID }) => ContMID === sent)
    const to = sent
      ? taught?.ContMName || sent
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value)
            .map(([key, one]) => t('devices:commands.set', { field: key, value: String(one) }))
            .join(t('screens:listComma'))
        : valueOf(capability, field, value)
    const name = nameOf(capability, field)
    return to === undefined ? name : t('devices:commands.set', { field: name, value: to })
  }
  const query = useQuery({
    ...callQuery(commands.listCommand, {
      HomeID: device.HomeID,
      PeripheralUID: device.PeripheralUID,
      Limit: SHOWN,
    }),
    staleTime: 0,
  })
  const { refetch } = query

  return (
    <section className={styles.section}>
      <h2>{t('devices:commands.title')}</h2>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={styles.note}>{t('devices:commands.none')}</p>
        ) : (
          <ul className={styles.commands}>
            {query.data.map((command) => (
              <li key={command.RequestID}>
                <span>{Object.entries(command.Values).map(inWords).join(t('screens:listComma'))}</span>
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
