import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { alarms } from '../../../../contract/procedures/alarms.ts'
import type { AttentionItem } from '../../../../contract/rules/device/attention.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { loadNamespaces, t as tNow, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../paths.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'

const ClearAlarm = lazyPart(
  async () => (await Promise.all([import('../../alarms/clear-alarm.tsx'), loadNamespaces(['alarms'])]))[0],
  { over: true },
)

/** Who knows of an alarm, and what a person may do with it: say that they know, look at it, or end what nobody can report any more. */
export function AlarmActs({ item, name }: { item: AttentionItem; name: string }) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const [rules, devices] = [useMay('power_meter_alarm', 'Control'), useMay('device_control', 'Control')]
  const mayAct = rules || (devices && item.Kind !== 'rule')
  const acknowledge = useAction(alarms.acknowledgeAlarm)
  const [isClearing, setClearing] = useState(false)
  const { AlarmID, Acknowledged, Shelved, Stale, HomeID } = item
  if (AlarmID === null) return null
  return (
    <>
      {Acknowledged && (
        <span className={page.small}>
          {t('cards:acknowledgedBy', {
            name: Acknowledged.By,
            age: formatAge(Acknowledged.At, now, language),
          })}
        </span>
      )}
      {Shelved && <span className={page.small}>{t('cards:shelvedBy', { name: Shelved.By })}</span>}
      <span className={styles.acts}>
        {mayAct && !Acknowledged && (
          <Button
            size="small"
            loading={acknowledge.busy}
            aria-label={t('cards:acknowledgeOf', { name })}
            onClick={() =>
              void acknowledge.run({ HomeID, AlarmID }, () => tNow('cards:acknowledged', { name }))
            }
          >
            {t('cards:acknowledge')}
          </Button>
        )}
        {mayAct && Stale && (
          <Button size="small" aria-label={t('cards:clearOf', { name })} onClick={() => setClearing(true)}>
            {t('cards:clear')}
          </Button>
        )}
        <Link
          to={`${pathTo('Alarm', { HomeID })}?tab=live&alarm=${AlarmID}`}
          aria-label={t('cards:alarmOf', { name })}
        >
          {t('cards:alarm')}
        </Link>
      </span>
      {isClearing && <ClearAlarm alarm={{ HomeID, AlarmID }} name={name} close={() => setClearing(false)} />}
    </>
  )
}
