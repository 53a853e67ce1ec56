import { Alert, Button } from 'antd'
import { useState } from 'react'
import {
  type Calibration,
  isInProgress,
  blinksAbnormally,
  lampsOf,
} from '../../../../contract/devices/capabilities/light-house.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { SignalTower } from '../../../ui/tags/signal-tower.tsx'
import { CalibrationDrawer } from '../calibration/calibration-wizard.tsx'
import { stageOf, stageWords } from '../calibration/calibration-steps.tsx'
import { LampTag } from './lamp-words.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './light-house.module.css'
import type { Face } from './face.ts'

/** A machine's signal tower: its lamps as a picture and in words, its abnormal state, and its calibration. */
const LightHouse: Face = ({ device, status, send }) => {
  const t = useT()
  const [open, setOpen] = useState(false)
  const lamps = lampsOf(status, device.LightHouseGroup)
  const abnormal = blinksAbnormally(status, device.AbnormalBlinkRate)
  const rate = status?.['BlinkRate'] as number | undefined
  const calibration = status?.['Calibration'] as Calibration | undefined
  const colors = (status?.['Colors'] ?? []) as unknown[]
  const underWay = isInProgress(calibration)
  return (
    <>
      {abnormal && (
        <Alert
          className={page.below8}
          type="error"
          showIcon
          message={t('devices:lamps.abnormal')}
          description={t('lightHouse:abnormalNote')}
        />
      )}
      <section className={styles.face} aria-label={t('lightHouse:tower')}>
        <SignalTower lamps={lamps} />
        <ul className={styles.lamps}>
          {lamps.map((lamp) => (
            <li key={lamp.sensors.join()}>
              <LampTag lamp={lamp} abnormal={abnormal} />
              <small>
                {t('lightHouse:sensors', {
                  count: lamp.sensors.length,
                  numbers: lamp.sensors.join(t('screens:listComma')),
                })}
              </small>
            </li>
          ))}
          {rate !== undefined && rate > 0 && <li>{t('lightHouse:blinkRate', { rate })}</li>}
        </ul>
      </section>
      <div className={`${page.spread} ${page.muted} ${styles.calibration}`}>
        <p>
          {underWay
            ? t('lightHouse:underWay', { step: stageWords(t, stageOf(calibration)) })
            : colors.length > 0
              ? t('lightHouse:lastGood', { count: colors.length })
              : t('lightHouse:never')}
        </p>
        {send ? (
          <Button type={underWay ? 'primary' : 'default'} onClick={() => setOpen(true)}>
            {t(underWay ? 'lightHouse:resume' : 'lightHouse:open')}
          </Button>
        ) : (
          <p>{t('lightHouse:mayNot')}</p>
        )}
      </div>
      {open && send && <CalibrationDrawer device={device} close={() => setOpen(false)} />}
    </>
  )
}
export default LightHouse
