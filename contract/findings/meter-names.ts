import type { MeterUse } from '../meters/meter-facts.ts'

const COOLING =
  /冷氣|空調|冷房|冰水主機|分離式|\ba\/?c\b|\bhvac\b|air[- ]?con|cooling|chiller|split unit|\bvrf\b|\bvrv\b/i
/** Those cool machines, not people. */
const OF_MACHINES = /機房|伺服器|冷藏|冷凍|冰箱|server|rack|data cent|freez|fridge|refriger/i

const LIGHTS = /照明|電燈|燈具|\blight/i

/** A meter with what somebody said that it is used for; null where nobody did. */
interface UsedMeter {
  name: string
  use: MeterUse | null
}

/** Whether a name is that of air conditioning of people. */
export const isCoolingName = (name: string): boolean => COOLING.test(name) && !OF_MACHINES.test(name)

/** Whether a name is that of lights. */
export const isLightName = (name: string): boolean => LIGHTS.test(name)

/** Whether a meter counts the air conditioning of people: as somebody said, else by its name. */
export const isCooling = ({ name, use }: UsedMeter): boolean =>
  use === null ? isCoolingName(name) : use === 'airConditioning'

/** Whether it counts what people need when they are there, which cannot run at other hours. */
export const isComfort = ({ name, use }: UsedMeter): boolean =>
  use === null ? COOLING.test(name) || isLightName(name) : use !== 'other'
