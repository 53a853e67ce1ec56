import { lowBattery } from '../../../../contract/devices/capabilities/capability.ts'
import type { Face } from './face.ts'
import { LowBattery } from './low-battery.tsx'
import { Readings } from './readings.tsx'

/** Battery and radio link of a device; shows only reported fields. */
const Diagnostics: Face = ({ capability, status }) => {
  const reportedFields = Object.keys(capability.status).filter((field) => status?.[field] !== undefined)
  const battery = lowBattery(status)
  return (
    <>
      <Readings capability={capability} status={status} fields={reportedFields} />
      {battery !== undefined && <LowBattery percent={battery} />}
    </>
  )
}
export default Diagnostics
