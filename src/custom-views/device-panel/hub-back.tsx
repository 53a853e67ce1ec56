import { useQuery } from '@tanstack/react-query'
import { Alert, Spin } from 'antd'
import type { FC } from 'react'
import { setup } from '../../../contract/setup/calls.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { formatAge } from '../../lib/format-age.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './device-panel.module.css'
import { NotLoaded } from './not-loaded.tsx'

/** Polling interval while the user works on the hub. */
const EVERY_MS = 15_000
/** Checks to make at the hub, in order. */
const CHECKS = ['power', 'network', 'clock', 'secret'] as const

/** Help for reconnecting an offline hub: last connection, reasons of rejected attempts, and checks. */
export const HubBack: FC<{ hub: ThingWithState }> = ({ hub: { HomeID, ThingName, SeenAt } }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(HomeID)
  const query = useQuery({
    ...callQuery(setup.getHubTrouble, { HomeID, ThingName }),
    refetchInterval: EVERY_MS,
  })
  const when = (at: number) => formatWhen(at, language, zone)
  const { data } = query
  return (
    <section className={`${page.section} ${styles.section} ${page.tightStack}`} aria-labelledby="hub-back">
      <h2 id="hub-back">{t(SeenAt === null ? 'devices:hubBack.first' : 'devices:hubBack.title')}</h2>
      <dl className={styles.facts}>
        {SeenAt !== null && (
          <>
            <dt>{t('devices:hubBack.heard')}</dt>
            <dd>{t('devices:hubBack.at', { when: when(SeenAt), age: formatAge(SeenAt, now, language) })}</dd>
          </>
        )}
        {data && (
          <>
            <dt>{t('devices:hubBack.address')}</dt>
            <dd>{data.Address ?? t('devices:hubBack.noAddress', { when: when(data.Since) })}</dd>
          </>
        )}
      </dl>
      {query.isPending && <Spin size="small" />}
      {query.error && !data && <NotLoaded query={query} />}
      {data && (
        <Alert
          type={data.Refused ? 'warning' : 'info'}
          showIcon
          message={
            data.Refused
              ? t(`devices:hubBack.refused.${data.Refused.Reason}`, {
                  count: data.Refused.Count,
                  from: data.Refused.From ?? t('devices:hubBack.somewhere'),
                  when: when(data.Refused.Timestamp),
                })
              : t('devices:hubBack.notRefused')
          }
        />
      )}
      <ol className={styles.steps}>
        {CHECKS.map((check) => (
          <li key={check}>
            <b>{t(`devices:hubBack.checks.${check}.name`)}</b> {t(`devices:hubBack.checks.${check}.text`)}
          </li>
        ))}
      </ol>
      <p className={page.note}>{t('devices:hubBack.then')}</p>
    </section>
  )
}
