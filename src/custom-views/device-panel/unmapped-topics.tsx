import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import { unmapped, type UnmappedValue } from '../../../contract/setup/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './device-panel.module.css'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'

const REFETCH_MS = 30_000
/** Number of entries shown at first. */
const FIRST_ENTRIES = 10

interface Props {
  homeId: string
  thingName: string
}

/** List of what a hub receives and does not show: topic, reason and since when. Empty for a hub that reports no list. */
export const UnmappedTopics: FC<Props> = (hub) => {
  const t = useT()
  const query = useQuery({
    ...callQuery(unmapped.listUnmapped, { HomeID: hub.homeId, ThingName: hub.thingName }),
    refetchInterval: REFETCH_MS,
  })
  const { data } = query
  if (data?.ReportedAt === null) return null
  return (
    <section className={`${page.section} ${page.tightStack}`} aria-labelledby="unmapped-topics">
      <h2 id="unmapped-topics">{t('devices:unmapped.title')}</h2>
      {data ? (
        <Topics homeId={hub.homeId} total={data.Total} entries={data.Entries} />
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={2} />
      )}
    </section>
  )
}

interface TopicsProps {
  homeId: string
  total: number
  entries: readonly UnmappedValue[]
}

const Topics: FC<TopicsProps> = ({ homeId, total, entries }) => {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(homeId)
  const [isWhole, setWhole] = useState(false)
  if (total === 0) return <p>{t('devices:unmapped.none')}</p>
  const shownEntries = isWhole ? entries : entries.slice(0, FIRST_ENTRIES)
  return (
    <>
      <p>{t('devices:unmapped.intro', { count: total })}</p>
      <ul className={`${page.rows} ${styles.commands}`}>
        {shownEntries.map(({ Topic, Name, Reason, Detail, Since }) => (
          <li key={`${Reason} ${Topic}`}>
            <span className={page.words}>
              {Name !== null && <b>{Name}</b>} <code>{Topic}</code>
            </span>
            <span>{t('devices:unmapped.since', { when: formatWhen(Since, language, zone) })}</span>
            <span>
              {t(`devices:unmapped.reasons.${Reason}`)}
              {Detail !== null && ` ${t('devices:command.hubSays', { words: Detail })}`}
            </span>
          </li>
        ))}
      </ul>
      {entries.length > shownEntries.length && (
        <Button size="small" onClick={() => setWhole(true)}>
          {t('devices:unmapped.all', { count: entries.length })}
        </Button>
      )}
      {shownEntries.length === entries.length && total > entries.length && (
        <p>{t('devices:unmapped.more', { count: total - entries.length })}</p>
      )}
    </>
  )
}
