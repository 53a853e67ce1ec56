import { useEffect, type FC } from 'react'
import { Link } from 'react-router'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import styles from './device-panel.module.css'
import { DevicePanel } from './device-panel.tsx'
import { HubPanel } from './hub-panel.tsx'
import { Drawer } from '../../ui/page/dialog.tsx'

interface Props {
  homeId: string
  id: string
  close: () => void
}

/** A Modbus device has a page with its table. */
const pageOf = ({ PeripheralType }: Peripheral) =>
  capabilityOf(PeripheralType, 'modbus') ? 'ModBusInfo' : 'DeviceInfo'

/** Device or hub in a drawer: from the right on wide screens, from below on phones. */
const DeviceDrawer: FC<Props> = ({ homeId, id, close }) => {
  const t = useT()
  const { data } = useDevices(homeId)
  const guard = useLeaveGuard()
  const device = data?.Peripherals.find(({ PeripheralUID }) => PeripheralUID === id)
  const hub = data?.Things.find(({ ThingName }) => ThingName === id)
  useEffect(() => {
    // A button that becomes disabled or is removed moves the focus to the body, where the drawer receives no Escape.
    const handleKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && document.activeElement === document.body) guard.ask(close)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [guard, close])
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      rootClassName={styles.drawer ?? ''}
      onClose={() => guard.ask(close)}
      title={device?.PeripheralName ?? hub?.DeviceName ?? ''}
      extra={
        device && (
          <Link to={pathTo(pageOf(device), { HomeID: homeId, peripheralID: id })}>
            {t('devices:openPage')}
          </Link>
        )
      }
    >
      {device && (
        <DevicePanel
          key={id}
          device={device}
          hub={data?.Things.find((thing) => thing.ThingName === device.ThingName)}
          removed={close}
          onDirty={guard.setDirty}
        />
      )}
      {hub && <HubPanel key={id} hub={hub} removed={close} />}
      {data && !device && !hub && <EmptyState message={t('devices:gone')} />}
    </Drawer>
  )
}
export default DeviceDrawer
