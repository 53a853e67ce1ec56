import { useSensorWords } from '../field-words.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import type { Face } from './face.ts'
import styles from './faces.module.css'

/** A plain sensor: quantity, and value in the sensor's own unit. */
const Sensor: Face = ({ status }) => {
  const { nameOf, amountOf } = useSensorWords()
  return (
    <div className={styles.main}>
      <span>{nameOf(status)}</span>
      <AmountValue large amount={amountOf(status)} />
    </div>
  )
}
export default Sensor
