import type { FC } from 'react'
import type { Capability } from '../../../../contract/devices/capabilities/capability.ts'
import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { useDeviceFieldWords } from '../field-words.ts'
import { useSensorWords } from '../sensor-words.ts'
import { Figure } from '../../../ui/tags/power-value.tsx'

export const SensorCell: FC<{ capability: Capability; status: DeviceStatus }> = ({ capability, status }) => {
  const { figureOf } = useDeviceFieldWords()
  const { nameOf, unitOf } = useSensorWords()
  return (
    <>
      <span>{nameOf(status)}</span>
      <Figure value={figureOf(capability, PLAIN_VALUE, status[PLAIN_VALUE])} unit={unitOf(status)} />
    </>
  )
}
