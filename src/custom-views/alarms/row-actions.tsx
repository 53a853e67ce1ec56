import { CheckOutlined, PauseOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './alarms.module.css'
import { ShelveDialog } from './shelve-dialog.tsx'
import { alarmActionsOf, useAlarmActions } from './use-alarm-actions.ts'

interface Props {
  alarm: Alarm
  showsWord: boolean
}

/** Actions in a row: acknowledge with one click, shelve or unshelve. */
export const AlarmRowActions: FC<Props> = ({ alarm, showsWord }) => {
  const t = useT()
  const now = useNow()
  const acts = useAlarmActions(alarm)
  const [isShelving, setShelving] = useState(false)
  const may = alarmActionsOf(alarm, now)
  const { name } = acts
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span className={styles.acts} onClick={(event) => event.stopPropagation()}>
      {may.acknowledge && (
        <Button
          icon={<CheckOutlined />}
          loading={acts.busy.acknowledge}
          aria-label={t('alarms:acts.acknowledgeOf', { name })}
          {...(!showsWord && { title: t('alarms:acts.acknowledgeOf', { name }) })}
          onClick={() => void acts.acknowledge()}
        >
          {showsWord && t('alarms:acts.acknowledge')}
        </Button>
      )}
      {may.shelve && (
        <IconButton
          icon={<PauseOutlined />}
          label={t('alarms:acts.shelveOf', { name })}
          onPress={() => setShelving(true)}
        />
      )}
      {may.unshelve && (
        <IconButton
          icon={<RollbackOutlined />}
          label={t('alarms:acts.unshelveOf', { name })}
          loading={acts.busy.unshelve}
          onPress={() => void acts.unshelve()}
        />
      )}
      {isShelving && (
        <ShelveDialog
          HomeID={alarm.HomeID}
          title={t('alarms:acts.shelveTitle', { name })}
          busy={acts.shelving.busy}
          failure={acts.shelving.failure}
          close={() => setShelving(false)}
          shelve={(asked) => void acts.shelve(asked).then((done) => done && setShelving(false))}
        />
      )}
    </span>
  )
}
