import type { Watts } from '../../../contract/rules/list/list-query.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Power in words: "at least 1 kW", "100 W to 500 W", "0 W or less". */
export function usePowerWords(): (watts: Watts) => string {
  const t = useT()
  return ({ from, through }) => {
    if (from !== undefined && through !== undefined)
      return t('devices:power.between', { from: inUnit(from), through: inUnit(through) })
    if (from !== undefined) return t('devices:power.from', { from: inUnit(from) })
    return t('devices:power.through', { through: inUnit(through ?? 0) })
  }
}

const inUnit = (watts: number): string =>
  watts !== 0 && watts % 1_000 === 0 ? `${watts / 1_000} kW` : `${watts} W`
