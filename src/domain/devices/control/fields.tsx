import { drawnFields } from '../../../../contract/devices/kinds/field-shape.ts'
import { FieldControl } from './field-control.tsx'
import { FieldValue } from './field-value.tsx'
import { useDeviceFieldWords } from '../field-words.ts'
import page from '../../../ui/page/page.module.css'
import styles from './faces.module.css'
import type { Face } from './face.ts'
import { Readings } from './readings.tsx'

/** Generic panel of a capability: controls first, then readings. */
const Fields: Face = ({ capability, status, send, pending }) => {
  const { nameOf } = useDeviceFieldWords()
  const fields = drawnFields(capability)
  const controls = fields.filter((field) => field in capability.command)
  const readings = fields.filter((field) => !(field in capability.command))
  // The main reading of a sensor is the first that has a value, or else the first.
  const main =
    controls.length === 0
      ? (readings.find((field) => status?.[field] !== undefined) ?? readings[0])
      : undefined
  const otherReadings = readings.filter((field) => field !== main)
  return (
    <>
      {main && (
        <div className={styles.big}>
          <FieldValue large capability={capability} field={main} value={status?.[main]} />
        </div>
      )}
      {controls.length > 0 && (
        <div className={`${page.column} ${styles.lines}`}>
          {controls.map((field) =>
            send ? (
              <FieldControl
                key={field}
                capability={capability}
                field={field}
                status={status}
                send={send}
                pending={pending}
              />
            ) : (
              <div key={field} className={styles.line}>
                <span>{nameOf(capability, field)}</span>
                <FieldValue capability={capability} field={field} value={status?.[field]} />
              </div>
            ),
          )}
        </div>
      )}
      {otherReadings.length > 0 && (
        <Readings capability={capability} status={status} fields={otherReadings} />
      )}
    </>
  )
}
export default Fields
