/**
 * Power in W that flows through a meter which measures only current, on a line whose voltage a person gave.
 *
 * amperes  mean current of the phases
 * line     Voltage in V, between the conductors on three phases; PhaseElectricPower 1 or 3, null counts as one
 * special  apparent power: what the meter does not see of the phase shift is not taken off
 * source   §3 Voltage, PhaseElectricPower
 */
export const linePower = (
  amperes: number,
  line: { Voltage: number; PhaseElectricPower: 1 | 3 | null },
): number => amperes * line.Voltage * (line.PhaseElectricPower === 3 ? Math.sqrt(3) : 1)
