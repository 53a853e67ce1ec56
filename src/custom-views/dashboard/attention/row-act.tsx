import { useState } from 'react'
import { Link } from 'react-router'
import { alarms } from '../../../../contract/alarms/calls.ts'
import type { AttentionItem } from '../../../../contract/attention/attention.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { loadNamespaces, t as tNow, useT } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import styles from './attention.module.css'
import { pageOf } from './page-of.ts'

const ClearAlarm = lazyPart(
  async () => (await Promise.all([import('../../alarms/clear-alarm.tsx'), loadNamespaces(['alarms'])]))[0],
  { over: true },
)

/** Next action on an item: acknowledge it, clear it if no report can, or open its page. */
export function AttentionAction({ item, name }: { item: AttentionItem; name: string }) {
  const t = useT()
  const [rules, devices] = [useMay('power_meter_alarm', 'Control'), useMay('device_control', 'Control')]
  const mayAct = rules || (devices && item.Kind !== 'rule')
  const acknowledge = useAction(alarms.acknowledgeAlarm)
  const [isClearing, setClearing] = useState(false)
  const { AlarmID, Acknowledged, Stale, HomeID } = item
  const to = pageOf(item)
  if (AlarmID !== null && mayAct && !Acknowledged)
    return (
      <button
        type="button"
        className={styles.act}
        aria-busy={acknowledge.busy}
        aria-label={t('dashboard:attention.acknowledgeOf', { name })}
        onClick={() =>
          void acknowledge.run({ HomeID, AlarmID }, () => tNow('dashboard:attention.noted', { name }))
        }
      >
        {t('dashboard:attention.acknowledge')}
      </button>
    )
  if (AlarmID !== null && mayAct && Stale)
    return (
      <>
        <button
          type="button"
          className={styles.act}
          aria-label={t('dashboard:attention.clearOf', { name })}
          onClick={() => setClearing(true)}
        >
          {t('dashboard:attention.clearIt')}
        </button>
        {isClearing && (
          <ClearAlarm alarm={{ HomeID, AlarmID }} name={name} close={() => setClearing(false)} />
        )}
      </>
    )
  if (to === undefined) return <span className={styles.noAct} />
  return (
    <Link className={styles.act} to={to} aria-label={t('dashboard:attention.openOf', { name })}>
      {t(`dashboard:attention.open.${OPENS[item.Kind] ?? 'device'}`)}
    </Link>
  )
}

/** Kind of page that a row opens, unless it is a device. */
const OPENS: Partial<Record<AttentionItem['Kind'], 'hub' | 'demand' | 'meters' | 'alarm'>> = {
  hubLost: 'hub',
  demand: 'demand',
  quarantined: 'meters',
  rule: 'alarm',
}
