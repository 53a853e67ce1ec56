export const ENERGY_MEASURES = ['kwh', 'cost', 'co2'] as const
export type EnergyMeasure = (typeof ENERGY_MEASURES)[number]
