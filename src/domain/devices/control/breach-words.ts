import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import type { Breach } from '../../../../contract/devices/warning-threshold.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { namesModbus, usePathWords } from '../path-words.ts'

/** A reading outside its limits in words, e.g. "Voltage 251 V, above 240 V". */
export function useBreachWords(device: Peripheral): (breach: Breach) => string {
  const t = useT()
  const { nameOf, valueOf } = usePathWords(device, namesModbus(Object.keys(device.ValueLimits ?? {})))
  return ({ field, value, limit, side }) =>
    t(side === 'upper' ? 'devices:threshold.above' : 'devices:threshold.below', {
      field: nameOf(field),
      value: valueOf(field, value),
      limit: valueOf(field, limit),
    })
}
