import type { FC } from 'react'
import { Link } from 'react-router'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './add-device.module.css'

/** Hubs that were added and have never connected, to continue an interrupted setup. */
export const AwaitedHubs: FC<{ homeId: string; hubs: readonly ThingWithState[] }> = ({ homeId, hubs }) => {
  const t = useT()
  if (hubs.length === 0) return null
  return (
    <section className={styles.awaited}>
      <h2>{t('screens:addDevice.awaited')}</h2>
      <p className={styles.note}>{t('screens:addDevice.awaitedNote')}</p>
      <ul>
        {hubs.map(({ ThingName, DeviceName }) => (
          <li key={ThingName}>
            <Link
              to={`${pathTo('DeviceList', { HomeID: homeId })}?${new URLSearchParams({ device: ThingName })}`}
            >
              {DeviceName}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
