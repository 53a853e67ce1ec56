import type { CommandValues } from '../../../contract/devices/capabilities/capability.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'

interface SensorWords {
  /** What a quantity is called: in the person's language where it is known, else as the device says it. */
  quantityName(said: string): string
  /** What a plain sensor measures, by its status. */
  nameOf(status: CommandValues | undefined): string
  /** The unit it reported last, '' for none. */
  unitOf(status: CommandValues | undefined): string
}

/** The words for a plain sensor, which says itself what it measures and in which unit. */
export function useSensorWords(): SensorWords {
  const t = useT()
  const quantityName = (said: string) => {
    const key: string = `devices:quantities.${said}`
    return hasText(key) ? t(key) : said
  }
  return {
    quantityName,
    nameOf: (status) =>
      typeof status?.['Quantity'] === 'string' ? quantityName(status['Quantity']) : t('devices:fields.Value'),
    unitOf: (status) => (typeof status?.['Unit'] === 'string' ? status['Unit'] : ''),
  }
}
