import type { FC } from 'react'
import type { Capability } from '../../../contract/device-kinds/capability.ts'
import { PLAIN_VALUE } from '../../../contract/device-kinds/capabilities/sensor.ts'
import type { DeviceStatus } from '../../../contract/device-kinds/status.ts'
import { useDeviceFieldWords } from '../../domain/device/field-words.ts'
import { useSensorWords } from '../../domain/device/sensor-words.ts'
import { Figure } from '../../ui/tags/power-value.tsx'

/** A plain sensor in one line: what it measures, and how much that is. */
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
