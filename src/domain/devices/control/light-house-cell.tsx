import type { FC } from 'react'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { blinksAbnormally, lampsOf } from '../../../../contract/devices/capabilities/light-house.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { LampTag } from './lamp-words.tsx'

/** A signal tower in one line: its lit lamps. */
export const LightHouseCell: FC<{ status: DeviceStatus; device: Peripheral }> = ({ status, device }) => {
  const t = useT()
  const lamps = lampsOf(status, device.LightHouseGroup)
  const abnormal = blinksAbnormally(status, device.AbnormalBlinkRate)
  const shining = lamps.filter(({ state }) => state === 1 || state === 2)
  return (
    <>
      {abnormal && <StateTag tone="alarm">{t('devices:lamps.abnormal')}</StateTag>}
      {shining.map((lamp) => (
        <LampTag key={lamp.sensors.join()} lamp={lamp} abnormal={abnormal} />
      ))}
      {shining.length === 0 && lamps.some(({ state }) => state === 0) && (
        <StateTag tone="plain">{t('devices:lamps.allOff')}</StateTag>
      )}
    </>
  )
}
