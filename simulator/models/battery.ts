/** A battery behind its inverter. */
export interface Battery {
  /** Capacity and stored energy, in kWh. */
  capacity: number
  stored: number
  /** Maximum charging and discharging power, in W. */
  watts: number
}

/** Efficiency of each direction: nine tenths of the charged energy are returned. */
const EFFICIENCY = 0.95
/** Share of the capacity below which it does not discharge. */
const RESERVE = 0.1
const JOULES = 3_600_000

/** A battery without usable charge. */
export const emptyBattery = ({ kWh, watts }: { kWh: number; watts: number }): Battery => ({
  capacity: kWh,
  stored: kWh * RESERVE,
  watts,
})

/**
 * Simulates a battery: it charges from a site's surplus, and covers the site's demand in the hours reserved for discharging.
 *
 * lacks   demand of the site minus generation of its plants, in W; negative for a surplus
 * giving  whether it is an hour for discharging
 * returns the battery after `seconds`, and its output in W; negative while charging
 */
export function work(
  battery: Battery,
  seconds: number,
  { lacks, giving }: { lacks: number; giving: boolean },
): { battery: Battery; watts: number } {
  const lasting = (kWh: number) => (kWh <= 0 ? 0 : seconds > 0 ? (kWh * JOULES) / seconds : Infinity)
  const room = lasting((battery.capacity - battery.stored) / EFFICIENCY)
  const available = lasting((battery.stored - battery.capacity * RESERVE) * EFFICIENCY)
  const stored = Math.max(0, Math.min(-lacks, battery.watts, room))
  const released = giving ? Math.max(0, Math.min(lacks, battery.watts, available)) : 0
  const change = ((stored * EFFICIENCY - released / EFFICIENCY) * seconds) / JOULES
  return { battery: { ...battery, stored: battery.stored + change }, watts: released - stored }
}
