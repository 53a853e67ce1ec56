import { capabilityOf } from '../../../contract/device-kinds/registry.ts'
import type { Peripheral } from '../../../contract/resources/peripheral.ts'
import type { Breach } from '../../../contract/rules/device/warning-threshold.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFieldWords } from '../../domain/device/field-words.ts'

/** A reading outside of its limits in words, e.g. "Voltage 251 V, above 240 V". */
export function useBreachWords({ PeripheralType }: Peripheral): (breach: Breach) => string {
  const t = useT()
  const { nameOf, valueOf } = useFieldWords()
  const meter = capabilityOf(PeripheralType, 'meter')
  return ({ field, value, limit, side }) =>
    meter
      ? t(side === 'upper' ? 'devices:threshold.above' : 'devices:threshold.below', {
          field: nameOf(meter, field),
          value: valueOf(meter, field, value) ?? value,
          limit: valueOf(meter, field, limit) ?? limit,
        })
      : field
}
