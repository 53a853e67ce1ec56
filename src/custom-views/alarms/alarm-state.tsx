import { useTimeZone } from '../../data/homes.ts'
import { BellOutlined, CheckOutlined, PauseOutlined, WarningOutlined } from '@ant-design/icons'
import type { FC } from 'react'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import { useAlarmWords } from './use-alarm-words.ts'

/** Severity of an alarm; a cleared one is neutral. */
export const AlarmSeverity: FC<{ alarm: Pick<Alarm, 'Severity' | 'Cleared'> }> = ({ alarm }) => {
  const t = useT()
  const { Severity, Cleared } = alarm
  const tone = Cleared ? 'plain' : Severity === 'critical' ? 'alarm' : 'warning'
  return (
    <StateTag tone={tone} icon={Cleared ? undefined : <WarningOutlined />}>
      {t(`screens:severities.${Severity}`)}
    </StateTag>
  )
}

/** State of an alarm: what users did, or how it ended. */
export const AlarmState: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(alarm.HomeID)
  const { at } = useAlarmWords(alarm.HomeID)
  const { Acknowledged, Shelved, Cleared, Chattering } = alarm
  const age = (moment: number) => formatAge(moment, now, language, zone)
  const isShelved = Shelved !== null && Shelved.Until > now
  return (
    <span className={page.field}>
      {Cleared ? (
        <StateTag tone="good" icon={<CheckOutlined />}>
          {Cleared.By === null
            ? t('alarms:clearedAt', { age: age(Cleared.At) })
            : t('alarms:clearedBy', { person: Cleared.By, age: age(Cleared.At) })}
        </StateTag>
      ) : isShelved ? (
        <StateTag tone="plain" icon={<PauseOutlined />}>
          {t('alarms:shelvedUntil', { person: Shelved.By, at: at(Shelved.Until) })}
        </StateTag>
      ) : Acknowledged ? (
        <StateTag tone="plain" icon={<CheckOutlined />}>
          {t('alarms:by', { person: Acknowledged.By, age: age(Acknowledged.At) })}
        </StateTag>
      ) : (
        <StateTag tone={alarm.Severity === 'critical' ? 'alarm' : 'warning'} icon={<BellOutlined />}>
          {t('alarms:states.unacknowledged')}
        </StateTag>
      )}
      {Chattering && !Cleared && <StateTag tone="warning">{t('alarms:chattering')}</StateTag>}
    </span>
  )
}

export const AlarmAge: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(alarm.HomeID)
  return (
    <span className={page.field}>
      <time
        dateTime={new Date(alarm.RaisedAt).toISOString()}
        title={formatWhen(alarm.RaisedAt, language, zone)}
      >
        {formatAge(alarm.RaisedAt, now, language, zone)}
      </time>
      {alarm.Count > 1 && <small>{t('alarms:count', { count: alarm.Count })}</small>}
    </span>
  )
}
