import { deviceOfMeter } from '../devices/kinds/meter-id.ts'
import type { MeterRole } from '../devices/meter-roles.ts'

export interface ProposedMeter {
  MeterID: string
  Name: string
  /** kWh per hour of a whole day, from midnight; omitted if unknown. */
  hours?: readonly number[]
}

/** Energy that a site with a plant sells: none, the surplus, or all. */
export type Selling = 'ownUse' | 'surplus' | 'all'

const SUN = /太陽能|光電|solar|\bpv\b|photovoltaic|inverter|逆變器/i
const GRID = /市電|台電|購電|總表|\bgrid\b|\butility\b|taipower|main meter|incomer/i
const SALE = /售電|躉售|餘電|\bexport\b|feed[- ]?in/i
const BATTERY = /儲能|電池|battery|\bess\b|\bbess\b/i
const CHARGE = /充電(?!樁|站|柱)|\bcharge\b|\bcharging\b/i
const CHECK = /對照|核對|\bcheck meter\b/i

/** Proposes a role from a meter's name and daily load shape; defaults to 'load'. A person has to confirm it. */
export function proposeRole({ MeterID, Name, hours }: ProposedMeter, selling: Selling): MeterRole {
  const { isReturn } = deviceOfMeter(MeterID)
  const sun = SUN.test(Name) || (hours !== undefined && isSunny(hours))
  if (CHECK.test(Name)) return 'check'
  if (BATTERY.test(Name)) return isReturn || CHARGE.test(Name) ? 'storageCharge' : 'storageDischarge'
  if (isReturn) return GRID.test(Name) && selling === 'surplus' ? 'gridExport' : 'check'
  if (sun) return selling === 'all' ? 'soldGeneration' : 'generation'
  if (SALE.test(Name)) return selling === 'all' ? 'soldGeneration' : 'gridExport'
  return GRID.test(Name) ? 'gridImport' : 'load'
}

/** Maximum share of the hours 20 to 4, and minimum share of the hours 9 to 15, for solar generation. */
const NIGHT = 0.01
const NOON = 0.5

function isSunny(hours: readonly number[]): boolean {
  if (hours.length !== 24) return false
  const sum = (from: number, to: number) => hours.slice(from, to).reduce((all, value) => all + value, 0)
  const total = sum(0, 24)
  return total > 0 && sum(0, 4) + sum(20, 24) <= total * NIGHT && sum(9, 15) >= total * NOON
}
