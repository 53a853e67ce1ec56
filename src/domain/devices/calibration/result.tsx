import { Alert, Button } from 'antd'
import type { FC } from 'react'
import type { Calibration } from '../../../../contract/devices/capabilities/calibration.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'

interface Props {
  calibration: Calibration
  busy: boolean
  restart: () => void
  leave: () => void
}

/** Outcome of a calibration, the reason, and the next step (§8). */
export const Result: FC<Props> = ({ calibration: { Outcome, Fault, Count = 0 }, busy, restart, leave }) => {
  const t = useT()
  const good = Outcome === 'success'
  return (
    <>
      <Alert
        className={styles.notice}
        type={good ? 'success' : 'error'}
        showIcon
        message={t(good ? 'lightHouse:success' : 'lightHouse:failure')}
        description={
          good ? (
            t('lightHouse:successNote', { count: Count })
          ) : (
            <>
              {Fault && <p className={styles.fault}>{t(`lightHouse:faults.${Fault}`)}</p>}
              {t('lightHouse:failureNote')}
            </>
          )
        }
      />
      <div className={`${page.buttons} ${styles.actions}`}>
        <Button size="large" type={good ? 'default' : 'primary'} loading={busy} onClick={restart}>
          {t('lightHouse:do.restart')}
        </Button>
        <Button size="large" type={good ? 'primary' : 'default'} onClick={leave}>
          {t('lightHouse:do.close')}
        </Button>
      </div>
    </>
  )
}
