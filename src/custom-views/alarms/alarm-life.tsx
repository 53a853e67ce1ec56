import { Timeline } from 'antd'
import type { FC } from 'react'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './alarms.module.css'
import { useAlarmWords } from './use-alarm-words.ts'

interface Moment {
  at: number
  what: string
  said?: string | null
  color: string
}

/** History of an alarm, the newest entry first. */
export const AlarmLife: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const { at } = useAlarmWords(alarm.HomeID)
  const { RaisedAt, ReportedAt, Count, Acknowledged, Shelved, Cleared, Comments } = alarm
  const moments: Moment[] = [
    { at: RaisedAt, what: t('alarms:life.raised'), color: 'red' },
    ...(Count > 1
      ? [{ at: ReportedAt, what: t('alarms:life.again', { count: Count - 1 }), color: 'red' }]
      : []),
    ...(Acknowledged
      ? [
          {
            at: Acknowledged.At,
            what: t('alarms:life.acknowledged', { person: Acknowledged.By }),
            said: Acknowledged.Comment,
            color: 'blue',
          },
        ]
      : []),
    ...(Shelved
      ? [
          {
            at: Shelved.At,
            what: t('alarms:life.shelved', { person: Shelved.By, until: at(Shelved.Until) }),
            said: Shelved.Reason,
            color: 'gray',
          },
        ]
      : []),
    ...Comments.map(({ By, At, Text }) => ({
      at: At,
      what: t('alarms:life.comment', { person: By }),
      said: Text,
      color: 'gray',
    })),
    ...(Cleared
      ? [
          {
            at: Cleared.At,
            what:
              Cleared.By === null
                ? t('alarms:life.cleared')
                : t('alarms:life.clearedBy', { person: Cleared.By }),
            said: Cleared.Reason,
            color: 'green',
          },
        ]
      : []),
  ].toSorted((a, b) => b.at - a.at)
  return (
    <section aria-label={t('alarms:drawer.life')}>
      <h3 className={styles.title}>{t('alarms:drawer.life')}</h3>
      <Timeline
        items={[
          ...(Cleared ? [] : [{ color: 'red', children: t('alarms:life.open') }]),
          ...moments.map(({ at: moment, what, said, color }) => ({
            color,
            children: (
              <div className={styles.moment}>
                <span>{what}</span>
                <time dateTime={new Date(moment).toISOString()}>{at(moment)}</time>
                {said && <q>{said}</q>}
              </div>
            ),
          })),
        ]}
      />
    </section>
  )
}
