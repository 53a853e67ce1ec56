import { Button } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { SignalTower } from '../../../ui/tags/signal-tower.tsx'
import { DEFAULT_COLOR, SENSORS } from '../../../../contract/devices/light-house.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'

/** The tower is to be lit or dark; the device measures it when the person says so. */
export const Measure: FC<{ stage: 'lightsOn' | 'lightsOff'; busy: boolean; go: () => void }> = ({
  stage,
  busy,
  go,
}) => {
  const t = useT()
  const lamps = Array.from({ length: SENSORS }, (_, index) => ({
    sensors: [index + 1],
    color: DEFAULT_COLOR,
    state: stage === 'lightsOn' ? 1 : 0,
  }))
  return (
    <>
      <div className={`${page.below16} ${styles.instruction}`}>
        <SignalTower lamps={lamps} />
        <p>{t(`lightHouse:say.${stage}`)}</p>
      </div>
      <Button type="primary" size="large" block loading={busy} onClick={go}>
        {t(busy ? 'lightHouse:say.working' : `lightHouse:do.${stage}`)}
      </Button>
    </>
  )
}
