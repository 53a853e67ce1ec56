import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { alarms } from '../../../contract/alarms/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './alarms.module.css'
import type { AlarmFilter } from './use-alarm-filter.tsx'

/** How many alarms of a home are open, by what they need; each narrows the list to them. */
export const AlarmCounts: FC<{ HomeID: string; filter: AlarmFilter }> = ({ HomeID, filter }) => {
  const t = useT()
  const { state, severity, change } = filter
  const counts = useQuery(callQuery(alarms.listAlarm, { HomeID, State: 'open', Limit: 1 })).data?.Counts
  const chip = (
    name: 'critical' | 'warning' | 'unacknowledged' | 'shelved',
    isOn: boolean,
    press: () => void,
  ) => (
    <button
      key={name}
      type="button"
      className={styles.chip}
      data-tone={counts && counts[name] > 0 ? name : undefined}
      aria-pressed={isOn}
      onClick={press}
    >
      <b>{counts?.[name] ?? '–'}</b>
      {name === 'critical' || name === 'warning'
        ? t(`screens:severities.${name}`)
        : t(`alarms:states.${name}`)}
    </button>
  )
  const bySeverity = (name: 'critical' | 'warning') => {
    const isOn = severity === name && state === 'open'
    return chip(name, isOn, () => change({ severity: isOn ? undefined : name, state: undefined }))
  }
  const byState = (name: 'unacknowledged' | 'shelved') => {
    const isOn = state === name
    return chip(name, isOn, () => change({ state: isOn ? undefined : name, severity: undefined }))
  }
  return (
    <div role="group" aria-label={t('alarms:counts.label')} className={`${page.buttons} ${styles.chips}`}>
      {bySeverity('critical')}
      {bySeverity('warning')}
      {byState('unacknowledged')}
      {byState('shelved')}
    </div>
  )
}
