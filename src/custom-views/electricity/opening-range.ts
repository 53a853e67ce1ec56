import { PRESETS, type Preset } from '../../ui/inputs/period-picker/period.ts'

const KEY = 'energy-range'

/** Period that the page opens with: the one chosen last in this browser; at first the last seven days, as today has no data each morning. */
export const openingRange = (): Preset =>
  PRESETS.find((preset) => preset === localStorage.getItem(KEY)) ?? 'last7'

/** Stores a chosen period if it moves with the calendar; fixed dates are not opened again days later. */
export function storeRange(range: string): void {
  if (PRESETS.some((preset) => preset === range)) localStorage.setItem(KEY, range)
}
