import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { DevicePicture } from '../device-panel/device-picture.tsx'
import { DeviceLabel } from '../../domain/devices/label/device-label.tsx'
import type { AddResult } from './add-devices.ts'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'

/** Outcome of each device, with next steps: picture, label, device page. */
export const AddedDevices: FC<{ homeId: string; outcomes: readonly AddResult[]; more: () => void }> = ({
  homeId,
  outcomes,
  more,
}) => {
  const t = useT()
  const devices = useDevices(homeId).data?.Peripherals
  return (
    <>
      <ul className={`${page.tightStack} ${styles.outcomes}`}>
        {outcomes.map(({ PeripheralUID, PeripheralName: name, problem }) => {
          const device = devices?.find((each) => each.PeripheralUID === PeripheralUID)
          return (
            <li key={PeripheralUID}>
              <Alert
                showIcon
                type={problem ? 'error' : 'success'}
                message={
                  problem
                    ? t('screens:addDevice.failed', { name, problem })
                    : t('screens:addDevice.added', { name })
                }
                action={
                  !problem && (
                    <Link to={pathTo('DeviceInfo', { HomeID: homeId, peripheralID: PeripheralUID })}>
                      {t('screens:addDevice.open')}
                    </Link>
                  )
                }
              />
              {device && !problem && (
                <div className={styles.extras}>
                  <DevicePicture device={device} />
                  <DeviceLabel
                    path={pathTo('DeviceInfo', { HomeID: homeId, peripheralID: PeripheralUID })}
                    name={name}
                    id={PeripheralUID}
                  />
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <div className={`${page.row} ${styles.foot}`}>
        <Button onClick={more}>{t('screens:addDevice.more')}</Button>
        <Link to={pathTo('DeviceList', { HomeID: homeId })}>{t('screens:addDevice.toList')}</Link>
      </div>
    </>
  )
}
