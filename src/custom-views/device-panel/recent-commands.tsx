import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { FC } from 'react'
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

const SHOWN = 8

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
      Limit: SHOWN,
    }),
  })
  const { refetch } = query

  return (
    <section className={`${page.section} ${styles.section}`}>
      <h2>{t('devices:commands.title')}</h2>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={styles.note}>{t('devices:commands.none')}</p>
        ) : (
          <ul className={styles.commands}>
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
