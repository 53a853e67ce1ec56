import { usePersonalConfig } from '../../providers/personal.ts'

/** Decimals of readings other than power, from the personal setting (§3, default 2). */
export const useDecimalPrecision = (): number => usePersonalConfig().DecimalPrecision
