import { PLAIN_VALUE } from '../../../../contract/devices/capabilities/sensors.ts'
import { useDeviceFieldWords, useSensorWords } from '../field-words.ts'
import { Figure } from '../../../ui/tags/power-value.tsx'
import type { Face } from './face.ts'
import styles from './faces.module.css'

/** A plain sensor: quantity, and value in the sensor's own unit. */
const Sensor: Face = ({ capability, status }) => {
  const { figureOf } = useDeviceFieldWords()
  const { nameOf, unitOf } = useSensorWords()
  return (
    <div className={styles.main}>
      <span>{nameOf(status)}</span>
      <Figure large value={figureOf(capability, PLAIN_VALUE, status?.[PLAIN_VALUE])} unit={unitOf(status)} />
    </div>
  )
}
export default Sensor
