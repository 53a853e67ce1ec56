import { Button } from 'antd'
import { useState } from 'react'
import { alarms } from '../../../../contract/procedures/alarms.ts'
import type { AttentionItem } from '../../../../contract/rules/device/attention.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatAge } from '../../../lib/format-age.ts'
import { t as tNow, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'

const ClearAlarm = lazyPart(() => import('./clear-alarm.tsx'), { over: true })

/** Who knows of an alarm, and what a person may do with it: say that they know, or end what nobody can report any more. */
export function AlarmActs({ item, name }: { item: AttentionItem & { Kind: 'state' }; name: string }) {
  const t = useT()
  const now = useNow()
  const language = useLanguage()
  const mayControl = useMay('device_control', 'Control')
  const acknowledge = useAction(alarms.acknowledgeAlarm)
  const [isClearing, setClearing] = useState(false)
  const { AlarmID, Acknowledged, Stale, HomeID } = item
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
      {AlarmID !== null && mayControl && (
        <span className={styles.acts}>
          {!Acknowledged && (
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
          {Stale && (
            <Button size="small" aria-label={t('cards:clearOf', { name })} onClick={() => setClearing(true)}>
              {t('cards:clear')}
            </Button>
          )}
        </span>
      )}
      {isClearing && AlarmID !== null && (
        <ClearAlarm alarm={{ HomeID, AlarmID }} name={name} close={() => setClearing(false)} />
      )}
    </>
  )
}
