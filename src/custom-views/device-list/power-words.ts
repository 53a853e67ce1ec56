import type { Watts } from '../../../contract/lists/list-query.ts'
import { formatLimit } from '../../../contract/kernel/quantity.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Text for a range of power: "at least 1 kW", "0.1 kW to 0.5 kW", "0 kW or less". */
export function usePowerWords(): (watts: Watts) => string {
  const t = useT()
  return ({ from, through }) => {
    if (from !== undefined && through !== undefined)
      return t('devices:power.between', { from: inUnit(from), through: inUnit(through) })
    if (from !== undefined) return t('devices:power.from', { from: inUnit(from) })
    return t('devices:power.through', { through: inUnit(through ?? 0) })
  }
}

const inUnit = (watts: number): string => {
  const { figure, unit } = formatLimit(watts, 'W', 'en-US')
  return `${figure} ${unit}`
}
