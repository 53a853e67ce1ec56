import { Button, Form, Input, Select } from 'antd'
import { useState, type FC } from 'react'
import type { Room } from '../../../contract/resources/room.ts'
import { thing, type ThingWithState } from '../../../contract/resources/thing.ts'
import type { ResultsOf } from '../../data/api.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useAction } from '../../data/use-action.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'
import { AwaitedHubs } from './awaited-hubs.tsx'
import { HubCredentials } from '../hub-credentials/hub-credentials.tsx'

interface Props {
  homeId: string
  rooms: readonly Room[]
  hubs: readonly ThingWithState[]
  /** Goes on to the hub's devices. */
  next: (thingName: string) => void
}

/** Adds a hub, shows its credentials, this once, and waits with the person until it connects. */
export const AddHub: FC<Props> = ({ homeId, rooms, hubs, next }) => {
  const t = useT()
  const [form] = Form.useForm<{ DeviceName: string; RoomID: number }>()
  const { busy, run } = useAction(thing.operations.create)
  const [made, setMade] = useState<ResultsOf<typeof thing.operations.create>>()

  const online = hubs.some(({ ThingName, Online }) => ThingName === made?.ThingName && Online)

  const add = async (values: { DeviceName: string; RoomID: number }) => {
    const added = await run({ HomeID: homeId, ...values })
    if (!added) return
    setMade(added)
    form.resetFields()
  }

  return (
    <>
      <p className={styles.note}>{t('screens:addDevice.hubNote')}</p>
      <Form
        form={form}
        layout="vertical"
        onFinish={add}
        initialValues={{ RoomID: 0 }}
        className={styles.hubForm}
      >
        <Form.Item
          name="DeviceName"
          label={t('resources:thing.fields.DeviceName')}
          validateTrigger={['onBlur', 'onSubmit']}
          rules={[
            {
              validator: (_, value: unknown) => {
                const reason = reasonFor(thing.record.shape.DeviceName, value)
                return reason
                  ? Promise.reject(new Error(describeField(reason, 'DeviceName')))
                  : Promise.resolve()
              },
            },
          ]}
        >
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item name="RoomID" label={t('resources:thing.fields.RoomID')}>
          <Select options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))} />
        </Form.Item>
        <Form.Item label=" ">
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('screens:addDevice.addHub')}
          </Button>
        </Form.Item>
      </Form>
      {made && (
        <>
          <HubCredentials thingName={made.ThingName} homeId={made.HomeID} secret={made.Secret} />
          <div className={`${page.row} ${styles.foot}`}>
            <StateTag tone={online ? 'good' : 'offline'}>
              <span role="status">
                {t(online ? 'screens:addDevice.hubOnline' : 'screens:addDevice.hubAwaited')}
              </span>
            </StateTag>
            <Button type={online ? 'primary' : 'default'} onClick={() => next(made.ThingName)}>
              {t('screens:addDevice.toFound')}
            </Button>
          </div>
        </>
      )}
      <AwaitedHubs
        homeId={homeId}
        hubs={hubs.filter(({ ThingName, SeenAt }) => SeenAt === null && ThingName !== made?.ThingName)}
      />
    </>
  )
}
