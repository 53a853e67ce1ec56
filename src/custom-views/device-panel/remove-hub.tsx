import { Button } from 'antd'
import type { FC } from 'react'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { thing, type Thing } from '../../../contract/devices/thing.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'

interface Props {
  hub: Thing
  /** Those that go with it; undefined while they have not come. */
  devices: readonly Peripheral[] | undefined
  removed: () => void
}

/** Removes a hub with its devices, after it was said what goes with them and what breaks without them. */
export const RemoveHub: FC<Props> = ({ hub: { HomeID, ThingName, DeviceName }, devices, removed }) => {
  const t = useT()
  const consequence = (
    <>
      <p>{t('devices:hub.removeNote', { count: devices?.length ?? 0 })}</p>
      <LazyUsersWarning
        what="hub"
        of={(devices ?? []).map(({ PeripheralUID }) => ({ HomeID, Subject: 'device', ID: PeripheralUID }))}
      />
    </>
  )
  const remove = async () => {
    await call(thing.operations.remove, { HomeID, ThingName })
    removed()
  }
  return (
    <Button
      danger
      disabled={!devices}
      onClick={() => confirmRemoval({ name: DeviceName, consequence, remove })}
    >
      {t('devices:hub.remove')}
    </Button>
  )
}
