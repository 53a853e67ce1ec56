import { Checkbox } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import styles from './editor.module.css'
import type { PartProps } from './field.tsx'
import { NotificationFields } from './notification-fields.tsx'

/** Whether a schedule or smart link sends a notification when it runs, and its recipients. */
export const RunNotificationField: FC<PartProps> = (props) => {
  const t = useT()
  const { draft, change, disabled } = props
  return (
    <div className={styles.fields}>
      <Checkbox
        className={styles.whole ?? ''}
        disabled={disabled}
        checked={draft.notifies}
        onChange={({ target }) => change({ notifies: target.checked })}
      >
        {t('automation:rule.tell.ofRun')}
      </Checkbox>
      {draft.notifies && <NotificationFields {...props} />}
    </div>
  )
}
