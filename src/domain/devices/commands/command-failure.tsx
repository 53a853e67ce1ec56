import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import styles from './command-failure.module.css'
import type { DeviceControl } from './use-device-control.ts'

/**
 * Reason why the last command failed, with a retry button. It is placed below the controls and sticks to the lower edge of the screen, so
 * that users who pressed a control at the top see it.
 */
export const CommandFailure: FC<{ control: DeviceControl }> = ({
  control: { failed, send, retry, dismiss },
}) => {
  const t = useT()
  if (!failed) return null
  return (
    <Alert
      className={styles.failure}
      type="error"
      showIcon
      closable
      onClose={dismiss}
      message={t('devices:command.failed')}
      description={
        <>
          {t(`errors:command.${failed.Reason ?? 'noAnswer'}`)}
          {failed.Detail && <div>{t('devices:command.hubSays', { words: failed.Detail })}</div>}
        </>
      }
      action={send && <Button onClick={retry}>{t('screens:retry')}</Button>}
    />
  )
}
