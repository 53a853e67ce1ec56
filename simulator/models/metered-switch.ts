import { clampMeter, type ClampMeter } from './clamp-meter.ts'
import { lightSwitch, type LightSwitch } from './light-switch.ts'
import type { Model } from './model.ts'

export interface MeteredSwitch {
  relays: LightSwitch
  meter: ClampMeter
}

/** Type code of a light switch with as many relays. */
const RELAYS_LIKE: Readonly<Record<string, string>> = { 518: '533', 519: '534', 526: '535' }

/**
 * Relays with a meter of their load: one (518), two (519) or three (526). The load behind the first relay draws power only while that
 * relay is on.
 */
export const meteredSwitch: Model<MeteredSwitch> = {
  make: (type, wiring) => ({
    relays: lightSwitch.make(RELAYS_LIKE[type] ?? '533', wiring),
    meter: clampMeter.make('514', wiring),
  }),
  step({ relays, meter }, seconds, world) {
    const after = lightSwitch.step(relays, seconds, world)
    return {
      relays: after,
      meter: clampMeter.step(meter, seconds, {
        ...world,
        watts: lightSwitch.draws(after) + (after.gangs[0] === 1 ? world.watts : 0),
      }),
    }
  },
  report: ({ relays, meter }) => ({ ...lightSwitch.report(relays), ...clampMeter.report(meter) }),
  command: ({ relays, meter }, values) => ({ relays: lightSwitch.command(relays, values), meter }),
  draws: ({ meter }) => meter.watts,
}
