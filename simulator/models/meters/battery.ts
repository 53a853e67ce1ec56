/** A battery behind its inverter. */
export interface Battery {
  /** kWh that it holds at most, and holds. */
  capacity: number
  stored: number
  /** W with which it charges and discharges at most. */
  watts: number
}

/** What of the energy arrives, each way: nine tenths come back of what went in. */
const EFFICIENCY = 0.95
/** Below such a share of its capacity it gives nothing. */
const RESERVE = 0.1
const JOULES = 3_600_000

/** A battery that has given what it has. */
export const emptyBattery = ({ kWh, watts }: { kWh: number; watts: number }): Battery => ({
  capacity: kWh,
  stored: kWh * RESERVE,
  watts,
})

/**
 * Lets a battery work: it takes what a site has left over, and gives what the site lacks in the hours for which it is kept.
 *
 * lacks   W that the site takes beyond what its plants give; below 0 what is left over
 * giving  whether it is such an hour
 * returns the battery so many seconds later, and W that came out of it; below 0 what went in
 */
export function work(
  battery: Battery,
  seconds: number,
  { lacks, giving }: { lacks: number; giving: boolean },
): { battery: Battery; watts: number } {
  const lasting = (kWh: number) => (kWh <= 0 ? 0 : seconds > 0 ? (kWh * JOULES) / seconds : Infinity)
  const room = lasting((battery.capacity - battery.stored) / EFFICIENCY)
  const left = lasting((battery.stored - battery.capacity * RESERVE) * EFFICIENCY)
  const taken = Math.max(0, Math.min(-lacks, battery.watts, room))
  const given = giving ? Math.max(0, Math.min(lacks, battery.watts, left)) : 0
  const change = ((taken * EFFICIENCY - given / EFFICIENCY) * seconds) / JOULES
  return { battery: { ...battery, stored: battery.stored + change }, watts: given - taken }
}
