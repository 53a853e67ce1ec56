import { Button, Checkbox } from 'antd'
import type { FC } from 'react'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import { MAX_ADDED_AT_ONCE, type DiscoveredPeripheral } from '../../../contract/devices/peripheral.ts'
import type { Thing } from '../../../contract/devices/thing.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { KindIcon } from '../../ui/tags/kind-icon.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'

interface Props {
  found: readonly DiscoveredPeripheral[]
  none: string
  hubs: readonly Thing[]
  chosen: ReadonlySet<string>
  change: (chosen: ReadonlySet<string>) => void
  next: () => void
}

/** Selects announced devices, at most 8 (§5). */
export const ChooseDevices: FC<Props> = ({ found, none, hubs, chosen, change, next }) => {
  const t = useT()
  const full = chosen.size >= MAX_ADDED_AT_ONCE
  const toggle = (uid: string) => {
    const all = new Set(chosen)
    if (!all.delete(uid)) all.add(uid)
    change(all)
  }
  if (found.length === 0 && chosen.size === 0) return <EmptyState why={none} />
  return (
    <>
      {found.length === 0 && <EmptyState why={none} />}
      <ul className={styles.found}>
        {found.map(({ PeripheralUID, PeripheralName, PeripheralType, ThingName }) => {
          const type = deviceType(PeripheralType)
          const hub = hubs.find((each) => each.ThingName === ThingName)
          const checked = chosen.has(PeripheralUID)
          return (
            <li key={PeripheralUID}>
              <Checkbox
                checked={checked}
                disabled={!checked && full}
                aria-label={PeripheralName}
                onChange={() => toggle(PeripheralUID)}
              >
                <span className={styles.what}>
                  <strong>{PeripheralName}</strong>
                  <span>
                    <KindIcon kind={type?.kind ?? 'other'} />{' '}
                    {t(type ? `devices:kinds.${type.kind}` : 'devices:kinds.other')}
                    {` · ${hub?.DeviceName ?? ThingName} · ${PeripheralUID}`}
                  </span>
                </span>
              </Checkbox>
            </li>
          )
        })}
      </ul>
      <div className={`${page.row} ${styles.foot}`}>
        <span role="status">
          {t('screens:addDevice.chosen', { count: chosen.size, most: MAX_ADDED_AT_ONCE })}
          {full && ` · ${t('screens:addDevice.most')}`}
        </span>
        <Button type="primary" disabled={chosen.size === 0} onClick={next}>
          {t('screens:addDevice.next')}
        </Button>
      </div>
    </>
  )
}
