import { useReducer, useEffect, type FC } from 'react'
import { attentionOf } from '../../../contract/attention/attention.ts'
import { useDevices } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import { useDeviceNotes } from '../../domain/devices/use-device-notes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useConnection } from '../../live/channel.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import styles from './alarms.module.css'

/** State of a home without open alarms: OK only if all monitored devices are known to be. */
export const NoAlarms: FC<{ HomeID: string }> = ({ HomeID }) => {
  const t = useT()
  const mayReadDevices = useMay('device', 'Read')
  const mayReadRules = useMay('power_meter_alarm', 'Read')
  return (
    <div className={`${page.message} ${page.stack} ${styles.verdict}`} role="status">
      {mayReadDevices ? (
        <Verdict HomeID={HomeID} />
      ) : (
        <StateTag tone="offline">{t('alarms:empty.noDevices')}</StateTag>
      )}
      {!mayReadRules && <small>{t('alarms:empty.noRules')}</small>}
    </div>
  )
}

function Verdict({ HomeID }: { HomeID: string }) {
  const t = useT()
  const now = useNow()
  const connection = useConnection()
  const isLive = connection === 'connected'
  const isBeginning = connection === 'idle' || connection === 'connecting'
  const snapshot = useDevices(HomeID).data
  const { alarms, maintenances } = useDeviceNotes()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => statuses.subscribeAll(redraw), [])
  const isComplete = snapshot !== undefined && alarms !== undefined && maintenances !== undefined
  const {
    Verdict: verdict,
    Known,
    Watched,
    Maintained,
  } = attentionOf(
    {
      hubs: snapshot?.Things ?? [],
      devices: snapshot?.Peripherals ?? [],
      statusOf: statuses.get,
      connected: isLive && isComplete,
      alarms: alarms?.filter((alarm) => alarm.HomeID === HomeID),
      maintenances,
      homes: snapshot ? [HomeID] : [],
    },
    now,
  )
  const unknown = Watched - Known
  return (
    <>
      {verdict === 'clear' ? (
        <>
          <StateTag tone="good">{t('alarms:empty.none')}</StateTag>
          <small>{t('alarms:empty.noneWhy')}</small>
        </>
      ) : verdict === 'attention' ? (
        <StateTag tone="warning">{t('alarms:empty.attention')}</StateTag>
      ) : unknown > 0 ? (
        <StateTag tone="offline">{t('alarms:empty.unknown', { count: unknown, total: Watched })}</StateTag>
      ) : (
        <StateTag tone="offline">
          {t(isLive || isBeginning ? 'alarms:empty.loading' : 'alarms:empty.notLive')}
        </StateTag>
      )}
      {Maintained > 0 && (
        <StateTag tone="plain">{t('alarms:empty.maintained', { count: Maintained })}</StateTag>
      )}
    </>
  )
}
