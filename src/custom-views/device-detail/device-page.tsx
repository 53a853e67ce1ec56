import { Card } from 'antd'
import { Link, useNavigate, useParams } from 'react-router'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLiveHomes } from '../../live/subscriptions.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { DevicePanel } from '../device-panel/device-panel.tsx'

/** Page of one device, for links. */
export default function DevicePage() {
  const t = useT()
  const navigate = useNavigate()
  const { HomeID = '', peripheralID } = useParams()
  useLiveHomes(HomeID ? [HomeID] : [])
  const guard = useLeaveGuard()
  const query = useDevices(HomeID)
  const list = pathTo('DeviceList', { HomeID })
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton />
    )
  const device = query.data.Peripherals.find(({ PeripheralUID }) => PeripheralUID === peripheralID)
  if (!device)
    return (
      <MessagePage title={t('devices:gone')} actions={<Link to={list}>{t('screens:devices.all')}</Link>} />
    )
  return (
    <Page title={device.PeripheralName}>
      <Card>
        <DevicePanel
          isPage
          key={device.PeripheralUID}
          device={device}
          hub={query.data.Things.find((hub) => hub.ThingName === device.ThingName)}
          removed={() => void navigate(list)}
          onDirty={guard.setDirty}
        />
      </Card>
    </Page>
  )
}
