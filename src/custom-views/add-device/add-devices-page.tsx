import { useParams } from 'react-router'
import { useHomes } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { useLiveHomes } from '../../providers/live/live.ts'
import { AddFound } from './add-found.tsx'
import { AddHub } from './add-hub.tsx'
import styles from './add-device.module.css'

/** Adds hubs, and the devices that hubs announced. */
export default function AddDevicesPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const rooms = useHomes()?.find((home) => home.HomeID === HomeID)?.RoomList ?? []
  useLiveHomes(HomeID ? [HomeID] : [])
  return (
    <section className={styles.page} key={HomeID}>
      <h1>{t('screens:addDevice.title')}</h1>
      <AddHub homeId={HomeID} rooms={rooms} />
      <AddFound homeId={HomeID} rooms={rooms} />
    </section>
  )
}
