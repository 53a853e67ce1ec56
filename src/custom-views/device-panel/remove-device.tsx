import { Button } from 'antd'
import type { FC } from 'react'
import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import styles from './device-panel.module.css'

interface Props {
  device: Peripheral
  removed: () => void
}

/** Removes a device, after it was said what goes with it and what breaks without it. */
export const RemoveDevice: FC<Props> = ({ device, removed }) => {
  const t = useT()
  const { HomeID, PeripheralUID } = device
  const consequence = (
    <>
      <p>{t(device.ThingName === null ? 'devices:removeAloneNote' : 'devices:removeNote')}</p>
      <LazyUsersWarning what="device" of={[{ HomeID, Subject: 'device', ID: PeripheralUID }]} />
    </>
  )
  const remove = async () => {
    await call(peripheral.operations.remove, { HomeID, PeripheralUID })
    removed()
  }
  return (
    <div className={styles.danger}>
      <Button danger onClick={() => confirmRemoval({ name: device.PeripheralName, consequence, remove })}>
        {t('devices:remove')}
      </Button>
    </div>
  )
}
