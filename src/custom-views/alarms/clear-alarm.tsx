import { Form, Input } from 'antd'
import { useState } from 'react'
import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { describeField, describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/page/dialog.tsx'

const { Reason } = alarms.clearAlarm.input.shape

/** Dialog that clears an alarm with a reason, if no report can clear it any longer. */
export default function ClearAlarm(props: {
  alarm: Pick<Alarm, 'HomeID' | 'AlarmID'>
  name: string
  close: () => void
}) {
  const { alarm, name, close } = props
  const t = useT()
  const [text, setText] = useState('')
  const clear = useAction(alarms.clearAlarm, { feedback: 'both' })
  const fault = text === '' ? undefined : reasonFor(Reason, text)
  const refusal = clear.refused['AlarmID']
  const isReady = reasonFor(Reason, text) === undefined
  const submit = async () => {
    if (!isReady) return
    if (
      await clear.run({ HomeID: alarm.HomeID, AlarmID: alarm.AlarmID, Reason: text }, () =>
        tNow('alarms:acts.cleared', { name }),
      )
    )
      close()
  }
  return (
    <Modal
      open
      title={t('alarms:acts.clearTitle', { name })}
      okText={t('alarms:acts.clear')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ danger: true, disabled: !isReady }}
      confirmLoading={clear.busy}
      onOk={() => void submit()}
      onCancel={close}
    >
      <p>{t('alarms:acts.clearNote')}</p>
      <Form layout="vertical" onFinish={() => void submit()}>
        <Form.Item
          label={t('alarms:acts.clearReason')}
          htmlFor="clear-reason"
          required
          validateStatus={fault ? 'error' : ''}
          help={fault && describeField(fault)}
        >
          <Input.TextArea
            id="clear-reason"
            rows={3}
            maxLength={500}
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              clear.reset()
            }}
          />
        </Form.Item>
      </Form>
      {(refusal !== undefined || clear.failure !== undefined) && (
        <p role="alert" className={page.fault}>
          {refusal === undefined ? describeFailure(clear.failure) : describeField(refusal)}
        </p>
      )}
    </Modal>
  )
}
