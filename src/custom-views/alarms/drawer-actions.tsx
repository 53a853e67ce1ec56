import { CheckOutlined, PauseOutlined, RollbackOutlined, SendOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState, type FC } from 'react'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './alarms.module.css'
import ClearAlarm from './clear-alarm.tsx'
import { ShelveDialog } from './shelve-dialog.tsx'
import { alarmActionsOf, useAlarmActions } from './row-actions.tsx'
import { onEnter } from '../../ui/inputs/on-enter.ts'

/** Actions on an alarm, at the lower edge within reach of the thumb. The text is saved with the acknowledgement. */
export const AlarmDrawerActions: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const now = useNow()
  const acts = useAlarmActions(alarm)
  const [text, setText] = useState('')
  const [dialog, setDialog] = useState<'shelve' | 'clear'>()
  const may = alarmActionsOf(alarm, now)
  const { name } = acts
  const said = text.trim()
  const acknowledge = async () => {
    if (await acts.acknowledge(said)) setText('')
  }
  const comment = async () => {
    if (said !== '' && (await acts.comment(said))) setText('')
  }
  return (
    <div className={page.field}>
      <div className={styles.comment}>
        <Input
          aria-label={t('alarms:acts.commentOptional')}
          placeholder={t('alarms:acts.commentOptional')}
          maxLength={500}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onPressEnter={onEnter(comment)}
        />
        <Button
          icon={<SendOutlined />}
          disabled={said === ''}
          loading={acts.busy.comment}
          aria-label={t('alarms:acts.commentOf', { name })}
          onClick={() => void comment()}
        >
          {t('alarms:acts.comment')}
        </Button>
      </div>
      <div className={`${page.buttons} ${styles.buttons}`}>
        {may.acknowledge && (
          <Button
            type="primary"
            icon={<CheckOutlined />}
            aria-label={t('alarms:acts.acknowledgeOf', { name })}
            loading={acts.busy.acknowledge}
            onClick={() => void acknowledge()}
          >
            {t('alarms:acts.acknowledge')}
          </Button>
        )}
        {may.unacknowledge && (
          <Button
            icon={<UndoOutlined />}
            aria-label={t('alarms:acts.unacknowledgeOf', { name })}
            loading={acts.busy.unacknowledge}
            onClick={() => void acts.unacknowledge()}
          >
            {t('alarms:acts.unacknowledge')}
          </Button>
        )}
        {may.shelve && (
          <Button
            icon={<PauseOutlined />}
            aria-label={t('alarms:acts.shelveOf', { name })}
            onClick={() => setDialog('shelve')}
          >
            {t('alarms:acts.shelve')}
          </Button>
        )}
        {may.unshelve && (
          <Button
            icon={<RollbackOutlined />}
            aria-label={t('alarms:acts.unshelveOf', { name })}
            loading={acts.busy.unshelve}
            onClick={() => void acts.unshelve()}
          >
            {t('alarms:acts.unshelve')}
          </Button>
        )}
        {may.clear && (
          <Button danger aria-label={t('alarms:acts.clearOf', { name })} onClick={() => setDialog('clear')}>
            {t('alarms:acts.clear')}
          </Button>
        )}
      </div>
      {dialog === 'shelve' && (
        <ShelveDialog
          HomeID={alarm.HomeID}
          title={t('alarms:acts.shelveTitle', { name })}
          busy={acts.shelving.busy}
          failure={acts.shelving.failure}
          close={() => setDialog(undefined)}
          shelve={(shelvingInput) =>
            void acts.shelve(shelvingInput).then((isDone) => isDone && setDialog(undefined))
          }
        />
      )}
      {dialog === 'clear' && <ClearAlarm alarm={alarm} name={name} close={() => setDialog(undefined)} />}
    </div>
  )
}
