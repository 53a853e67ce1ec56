import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { Link } from 'react-router'
import { alarms } from '../../../../contract/alarms/calls.ts'
import { AlarmState } from '../../../custom-views/alarms/alarm-state.tsx'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import page from '../../../ui/page/page.module.css'
import type { ListedRule } from '../rules/kinds.ts'

/** Limit of the query; more than the number of rules in a home. */
const MOST = 500

/** Link to the open alarm of a rule. */
export const AlarmNow: FC<{ rule: ListedRule; canFire: boolean }> = ({
  rule: { HomeID, AutomationID },
  canFire,
}) => {
  const t = useT()
  const { data } = useQuery(callQuery(alarms.listAlarm, { HomeID, State: 'open', Limit: MOST }))
  if (!data) return '–'
  const open = data.Rows.find((alarm) => alarm.AutomationID === AutomationID)
  // Show no "OK" for a rule that cannot fire.
  if (!open && !canFire) return '–'
  if (!open) return <span className={page.muted}>{t('alarms:calm')}</span>
  return (
    <Link
      to={`${pathTo('Alarm', { HomeID })}?tab=live&alarm=${open.AlarmID}`}
      onClick={(event) => event.stopPropagation()}
    >
      <AlarmState alarm={open} />
    </Link>
  )
}
