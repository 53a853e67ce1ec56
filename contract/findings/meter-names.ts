import type { MeterUse } from '../meters/meter-facts.ts'

const COOLING =
  /冷氣|空調|冷房|冰水主機|分離式|\ba\/?c\b|\bhvac\b|air[- ]?con|cooling|chiller|split unit|\bvrf\b|\bvrv\b/i
/** Names of machine cooling, as opposed to comfort cooling. */
const OF_MACHINES = /機房|伺服器|冷藏|冷凍|冰箱|server|rack|data cent|freez|fridge|refriger/i

const LIGHTS = /照明|電燈|燈具|\blight/i

/** Meter with its configured use; null if not configured. */
interface UsedMeter {
  name: string
  use: MeterUse | null
}

/** Whether a name denotes air conditioning for people. */
export const isCoolingName = (name: string): boolean => COOLING.test(name) && !OF_MACHINES.test(name)

export const isLightName = (name: string): boolean => LIGHTS.test(name)

/** Use that the name of a meter denotes; null if it denotes none. */
export const useOfName = (name: string): MeterUse | null =>
  isCoolingName(name) ? 'airConditioning' : isLightName(name) ? 'lighting' : null

/** Whether a meter measures air conditioning for people: by its configured use, else by its name. */
export const isCooling = ({ name, use }: UsedMeter): boolean =>
  use === null ? isCoolingName(name) : use === 'airConditioning'

/** Whether a meter measures comfort loads, which are needed while people are present and cannot be shifted to other hours. */
export const isComfort = ({ name, use }: UsedMeter): boolean =>
  use === null ? COOLING.test(name) || isLightName(name) : use === 'airConditioning' || use === 'lighting'
