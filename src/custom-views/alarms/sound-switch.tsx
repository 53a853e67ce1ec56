import { BellOutlined } from '@ant-design/icons'
import { Switch, Tooltip } from 'antd'
import { useEffect } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { useStore } from '../../lib/store.ts'
import { onAlarm } from '../../live/alarm-events.ts'
import styles from './alarms.module.css'
import { allowSound, setSoundsAlarms, soundsAlarms, soundTone } from './sound.ts'

/** Whether a new critical alarm of the home sounds while the page is open; switched on it sounds once. */
export function SoundSwitch({ HomeID }: { HomeID: string }) {
  const t = useT()
  const isOn = useStore(soundsAlarms)
  useEffect(() => {
    if (!isOn) return
    const stop = onAlarm(({ News, Severity, HomeID: at }) => {
      if (at === HomeID && News === 'raised' && Severity === 'critical') soundTone()
    })
    addEventListener('pointerdown', allowSound, { once: true })
    return () => {
      stop()
      removeEventListener('pointerdown', allowSound)
    }
  }, [isOn, HomeID])
  return (
    <Tooltip title={t('alarms:sound.hint')}>
      <label className={styles.sound}>
        <BellOutlined aria-hidden />
        {t('alarms:sound.label')}
        <Switch
          aria-label={t('alarms:sound.label')}
          checked={isOn}
          onChange={(on) => {
            setSoundsAlarms(on)
            if (on) soundTone()
          }}
        />
      </label>
    </Tooltip>
  )
}
