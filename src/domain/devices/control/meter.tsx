import { drawnFields } from '../../../../contract/devices/kinds/field-shape.ts'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { FieldValue } from './field-value.tsx'
import page from '../../../ui/page/page.module.css'
import type { Face, FaceProps } from './face.ts'
import { Readings } from './readings.tsx'

/** Quantities that are measured per line. */
const LINES = ['Power', 'Voltage', 'Current'] as const
const LINE_FIELD = /^(Power|Voltage|Current)(\d)$/

/** Whether a field is shown; most meters have no second register and do not report one. */
const isShown = (field: string, status: FaceProps['status']) =>
  field !== 'AccumulateReturn' || status?.[field] !== undefined

/** Power first, then the other readings, then a table of the lines. */
const Meter: Face = ({ device, capability, status }) => {
  const t = useT()
  const fields = drawnFields(capability)
  // A Modbus device may be a meter according to its table; it counts as one only once it reports meter fields.
  const measures = fields.some((field) => status && field in status)
  if (!measures && (status || capabilityOf(device.PeripheralType, 'modbus'))) return null
  // Single-phase Modbus meters, and hubs that send only the total, report no lines.
  const lines = [...new Set(fields.flatMap((field) => LINE_FIELD.exec(field)?.[2] ?? []))].filter(
    (line) => !status || LINES.some((column) => status[`${column}${line}`] !== undefined),
  )
  const value = (field: string, large = false) => (
    <FieldValue capability={capability} field={field} value={status?.[field]} large={large} />
  )
  return (
    <>
      <div className={page.below8}>{value('Power', true)}</div>
      <Readings
        capability={capability}
        status={status}
        fields={fields.filter(
          (field) => field !== 'Power' && !LINE_FIELD.test(field) && isShown(field, status),
        )}
      />
      {lines.length > 0 && (
        <table className={`${page.table} ${page.above16} ${page.figures} ${page.amounts}`}>
          <caption>{t('devices:lines.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('devices:lines.line')}</th>
              {LINES.map((column) => (
                <th key={column} scope="col">
                  {t(`devices:fields.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line}>
                <th scope="row">{t('devices:lines.name', { number: line })}</th>
                {LINES.map((column) => (
                  <td key={column}>{value(`${column}${line}`)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
export default Meter
