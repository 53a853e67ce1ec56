import { Button, Form, Input } from 'antd'
import type { FC } from 'react'
import type { Room } from '../../../contract/homes/room.ts'
import { thing } from '../../../contract/devices/thing.ts'
import type { ResultsOf } from '../../data/api.ts'
import { describeField } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import page from '../../ui/page/page.module.css'

interface Props {
  homeId: string
  rooms: readonly Room[]
  /** What it is called unless somebody says otherwise. */
  name: string
  back: () => void
  made: (hub: ResultsOf<typeof thing.operations.create>) => void
}

const checkName = (_: unknown, value: unknown) => {
  const reason = reasonFor(thing.record.shape.DeviceName, value)
  return reason ? Promise.reject(new Error(describeField(reason, 'DeviceName'))) : Promise.resolve()
}

/** Name and room of a new hub. Its secret is made with it. */
export const NameHub: FC<Props> = ({ homeId, rooms, name, back, made }) => {
  const t = useT()
  const { busy, run } = useAction(thing.operations.create)
  const add = async (values: { DeviceName: string; RoomID: number }) => {
    const hub = await run({ HomeID: homeId, ...values })
    if (hub) made(hub)
  }
  return (
    <Form layout="vertical" onFinish={add} initialValues={{ RoomID: 0, DeviceName: name }}>
      <Form.Item
        name="DeviceName"
        label={t('resources:thing.fields.DeviceName')}
        validateTrigger={['onBlur', 'onSubmit']}
        rules={[{ validator: checkName }]}
      >
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="RoomID" label={t('resources:thing.fields.RoomID')}>
        <FormSelect options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))} />
      </Form.Item>
      <div className={page.actions}>
        <Button onClick={back}>{t('screens:addDevice.back')}</Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('screens:addDevice.addHub')}
        </Button>
      </div>
    </Form>
  )
}
