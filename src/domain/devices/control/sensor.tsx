import { useSensorWords } from '../field-words.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import type { Face } from './face.ts'
import page from '../../../ui/page/page.module.css'

/** A plain sensor: quantity, and value in the sensor's own unit. */
const Sensor: Face = ({ status }) => {
  const { nameOf, amountOf } = useSensorWords()
  return (
    <div className={`${page.intro} ${page.below8}`}>
      <span>{nameOf(status)}</span>
      <AmountValue large amount={amountOf(status)} />
    </div>
  )
}
export default Sensor
