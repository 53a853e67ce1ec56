const COOLING =
  /冷氣|空調|冷房|冰水主機|分離式|\ba\/?c\b|\bhvac\b|air[- ]?con|cooling|chiller|split unit|\bvrf\b|\bvrv\b/i
/** Those cool machines, not people. */
const OF_MACHINES = /機房|伺服器|冷藏|冷凍|冰箱|server|rack|data cent|freez|fridge|refriger/i

const LIGHTS = /照明|電燈|燈具|\blight/i

/** Whether a meter counts the air conditioning of people, by its name; nobody says so otherwise. */
export const isCoolingName = (name: string): boolean => COOLING.test(name) && !OF_MACHINES.test(name)

/** Whether it counts what people need when they are there, which cannot run at other hours. */
export const isComfortName = (name: string): boolean => COOLING.test(name) || LIGHTS.test(name)
