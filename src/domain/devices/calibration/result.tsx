import { Alert, Button } from 'antd'
import type { FC } from 'react'
import type { Calibration } from '../../../../contract/devices/capabilities/light-house.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './calibration.module.css'

interface Props {
  calibration: Calibration
  busy: boolean
  restart: () => void
  close: () => void
}

/** Outcome of a calibration, the reason, and the next step (§8). */
export const Result: FC<Props> = ({ calibration: { Outcome, Fault, Count = 0 }, busy, restart, close }) => {
  const t = useT()
  const isSuccess = Outcome === 'success'
  return (
    <>
      <Alert
        className={styles.notice}
        type={isSuccess ? 'success' : 'error'}
        showIcon
        message={t(isSuccess ? 'lightHouse:success' : 'lightHouse:failure')}
        description={
          isSuccess ? (
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
        <Button size="large" type={isSuccess ? 'default' : 'primary'} loading={busy} onClick={restart}>
          {t('lightHouse:do.restart')}
        </Button>
        <Button size="large" type={isSuccess ? 'primary' : 'default'} onClick={close}>
          {t('lightHouse:do.close')}
        </Button>
      </div>
    </>
  )
}
