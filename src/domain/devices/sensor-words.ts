import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'

interface SensorWords {
  /** Name of a quantity in the user's language if there is a translation, else as reported. */
  quantityName(name: string): string
  /** Quantity that a plain sensor measures. */
  nameOf(status: CommandValues | undefined): string
  /** Last reported unit, '' for none. */
  unitOf(status: CommandValues | undefined): string
}

/** Quantity and unit of a plain sensor, which reports both itself. */
export function useSensorWords(): SensorWords {
  const t = useT()
  const quantityName = (name: string) => {
    const key: string = `devices:quantities.${name}`
    return hasText(key) ? t(key) : name
  }
  return {
    quantityName,
    nameOf: (status) =>
      typeof status?.['Quantity'] === 'string' ? quantityName(status['Quantity']) : t('devices:fields.Value'),
    unitOf: (status) => (typeof status?.['Unit'] === 'string' ? status['Unit'] : ''),
  }
}
