/**
 * Power in W through a meter that measures only current, on a line with a configured voltage.
 *
 * amperes  mean current of the phases
 * line     Voltage in V, between the conductors on three phases; PhaseElectricPower 1 or 3, null counts as one
 * special  apparent power: the phase shift is unknown and not considered
 * source   §3 Voltage, PhaseElectricPower
 */
export const linePower = (
  amperes: number,
  line: { Voltage: number; PhaseElectricPower: 1 | 3 | null },
): number => amperes * line.Voltage * (line.PhaseElectricPower === 3 ? Math.sqrt(3) : 1)
