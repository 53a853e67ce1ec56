import { Button } from 'antd'
import type { FC, ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import styles from './form.module.css'

interface Props {
  cancel: () => void
  /** Saves; undefined in a form whose submission saves. */
  save?: () => void
  /** Text of the button that saves, if it does something else than to save. */
  saveText?: string | undefined
  busy: boolean
  disabled: boolean
  /** Actions before Cancel, e.g. a trial. */
  children?: ReactNode
}

/** Buttons at the end of a form, which stay in view while it is scrolled. */
export const FormActions: FC<Props> = ({ cancel, save, saveText, busy, disabled, children }) => {
  const t = useT()
  return (
    <div className={styles.actions}>
      {children}
      {/* A form without the right to save disables its buttons. */}
      <Button disabled={false} onClick={cancel}>
        {t('screens:cancel')}
      </Button>
      <Button
        type="primary"
        loading={busy}
        disabled={disabled}
        {...(save ? { onClick: save } : { htmlType: 'submit' })}
      >
        {saveText ?? t('screens:save')}
      </Button>
    </div>
  )
}
