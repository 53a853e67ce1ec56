import { Alert, Button, Card, Form, Input, Select } from 'antd'
import { useState, type FC } from 'react'
import { Link } from 'react-router'
import { cameraAndIr } from '../../../contract/devices/camera-and-ir-calls.ts'
import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import type { Room } from '../../../contract/homes/room.ts'
import { pathTo } from '../../navigation/paths.ts'
import { call } from '../../data/api.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { SourceFields } from '../../domain/devices/camera/source-fields.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'

/** Adds cameras by address, and the cameras and infrared remotes that third-party hubs announced. */
export const AddCamera: FC<{ homeId: string; rooms: readonly Room[] }> = ({ homeId, rooms }) => {
  const t = useT()
  const [made, setMade] = useState<Peripheral>()
  const [syncing, setSyncing] = useState(false)

  const sync = async () => {
    setSyncing(true)
    try {
      const { Added, Left } = await call(cameraAndIr.casaDeviceSync, { HomeID: homeId, RoomID: 0 })
      if (Added.length === 0) notices.success(() => t('screens:addDevice.noneToSync'))
      else
        notices.success(() =>
          t(Left > 0 ? 'screens:addDevice.syncedSome' : 'screens:addDevice.synced', {
            count: Added.length,
            left: Left,
          }),
        )
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setSyncing(false)
    }
  }

  return (
    <div className={`${page.stack} ${page.upTo880}`}>
      <Card title={t('screens:addDevice.camera')}>
        <SourceFields
          key={made?.PeripheralUID}
          source={null}
          action={t('screens:addDevice.addCamera')}
          submit={async (values, send) => {
            setMade(await send(cameraAndIr.casaAddPeripheralAdvanceInfo, { HomeID: homeId, ...values }))
          }}
        >
          <Form.Item
            name="PeripheralName"
            label={t('resources:peripheral.fields.PeripheralName')}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[
              {
                required: true,
                validator: (_, value: unknown) => {
                  const reason = reasonFor(peripheral.record.shape.PeripheralName, value ?? '')
                  return reason
                    ? Promise.reject(new Error(describeField(reason, 'PeripheralName')))
                    : Promise.resolve()
                },
              },
            ]}
          >
            <Input maxLength={64} />
          </Form.Item>
          <Form.Item name="RoomID" label={t('resources:peripheral.fields.RoomID')} initialValue={0}>
            <Select options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))} />
          </Form.Item>
        </SourceFields>
        {made && (
          <Alert
            style={{ marginTop: 16 }}
            type="success"
            showIcon
            message={t('screens:addDevice.added', { name: made.PeripheralName })}
            action={
              <Link to={pathTo('DeviceInfo', { HomeID: homeId, peripheralID: made.PeripheralUID })}>
                {t('screens:addDevice.open')}
              </Link>
            }
          />
        )}
      </Card>
      <Card title={t('screens:addDevice.sync')}>
        <p className={styles.note}>{t('screens:addDevice.syncNote')}</p>
        <Button loading={syncing} onClick={() => void sync()}>
          {t('screens:addDevice.syncNow')}
        </Button>
      </Card>
    </div>
  )
}
