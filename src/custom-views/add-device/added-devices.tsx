import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { DevicePicture } from '../device-panel/device-picture.tsx'
import { DeviceLabel } from '../../domain/devices/label/device-label.tsx'
import page from '../../ui/page/page.module.css'
import styles from './add-device.module.css'
import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'

/** Outcome of each device, with next steps: picture, label, device page. */
export const AddedDevices: FC<{ homeId: string; outcomes: readonly AddResult[]; onAddMore: () => void }> = ({
  homeId,
  outcomes,
  onAddMore,
}) => {
  const t = useT()
  const devices = useDevices(homeId).data?.Peripherals
  return (
    <>
      <ul className={page.tightStack}>
        {outcomes.map(({ PeripheralUID, PeripheralName: name, problem }) => {
          const device = devices?.find((candidate) => candidate.PeripheralUID === PeripheralUID)
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
                <div className={page.row}>
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
        <Button onClick={onAddMore}>{t('screens:addDevice.more')}</Button>
        <Link to={pathTo('DeviceList', { HomeID: homeId })}>{t('screens:addDevice.toList')}</Link>
      </div>
    </>
  )
}

type NewDevice = Pick<Peripheral, 'PeripheralUID' | 'PeripheralName' | 'RoomID'> & {
  ParentMeter?: string | null
}

export interface AddResult extends NewDevice {
  /** Reason that it was not added; undefined if it was. */
  problem: string | undefined
}

/** Batches in the order in which devices can be added: a meter after its parent. */
function inRounds(devices: readonly NewDevice[]): NewDevice[][] {
  const remaining = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const rounds: NewDevice[][] = []
  while (remaining.size > 0) {
    const addable = [...remaining.values()].filter(
      ({ ParentMeter }) => !ParentMeter || !remaining.has(ParentMeter),
    )
    // The gateway rejects a loop.
    const round = addable.length > 0 ? addable : [...remaining.values()]
    for (const { PeripheralUID } of round) remaining.delete(PeripheralUID)
    rounds.push(round)
  }
  return rounds
}

/**
 * Adds devices, one call per room; meters after their parents. A call is atomic: if it fails, its devices are added one by one, so that
 * only the invalid ones fail and are reported.
 */
export async function addDevices(homeId: string, described: readonly NewDevice[]): Promise<AddResult[]> {
  // The gateway trims names.
  const devices = described.map((device) => ({ ...device, PeripheralName: device.PeripheralName.trim() }))
  const add = (RoomID: number, batch: readonly NewDevice[]) =>
    call(peripheral.operations.create, {
      HomeID: homeId,
      RoomID,
      Peripherals: batch.map(({ PeripheralUID, PeripheralName, ParentMeter }) => ({
        PeripheralUID,
        PeripheralName,
        ...(ParentMeter && { ParentMeter }),
      })),
    })
  const outcomes: AddResult[] = []
  for (const round of inRounds(devices))
    for (const RoomID of new Set(round.map((device) => device.RoomID))) {
      const batch = round.filter((device) => device.RoomID === RoomID)
      try {
        await add(RoomID, batch)
        outcomes.push(...batch.map((device) => ({ ...device, problem: undefined })))
      } catch {
        for (const device of batch)
          outcomes.push({
            ...device,
            problem: await add(RoomID, [device]).then(() => undefined, describeFailure),
          })
      }
    }
  return outcomes
}
