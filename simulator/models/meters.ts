import type { ModbusRow } from '../../contract/devices/modbus/modbus-table.ts'
import { MODBUS_PRESETS, type PresetRow } from '../../contract/devices/modbus/modbus-presets.ts'
import { meterFactor } from '../../contract/devices/modbus/modbus-meter.ts'
import type { Model } from './model.ts'
import { lightSwitch, type LightSwitch } from './switches.ts'

/** A battery behind its inverter. */
interface Battery {
  /** Capacity and stored energy, in kWh. */
  capacity: number
  stored: number
  /** Maximum charging and discharging power, in W. */
  watts: number
}

/** Efficiency of each direction: nine tenths of the charged energy are returned. */
const BATTERY_EFFICIENCY = 0.95
/** Share of the capacity below which it does not discharge. */
const BATTERY_RESERVE = 0.1
const JOULES = 3_600_000

/** A battery without usable charge. */
export const emptyBattery = ({ kWh, watts }: { kWh: number; watts: number }): Battery => ({
  capacity: kWh,
  stored: kWh * BATTERY_RESERVE,
  watts,
})

/**
 * Simulates a battery: it charges from a site's surplus, and covers the site's demand in the hours reserved for discharging.
 *
 * demandWatts   demand of the site minus generation of its plants, in W; negative for a surplus
 * isDischarging  whether it is an hour for discharging
 * returns the battery after `seconds`, and its output in W; negative while charging
 */
export function work(
  battery: Battery,
  seconds: number,
  { demandWatts, isDischarging }: { demandWatts: number; isDischarging: boolean },
): { battery: Battery; watts: number } {
  const wattsFor = (kWh: number) => (kWh <= 0 ? 0 : seconds > 0 ? (kWh * JOULES) / seconds : Infinity)
  const maxChargeWatts = wattsFor((battery.capacity - battery.stored) / BATTERY_EFFICIENCY)
  const maxDischargeWatts = wattsFor(
    (battery.stored - battery.capacity * BATTERY_RESERVE) * BATTERY_EFFICIENCY,
  )
  const chargeWatts = Math.max(0, Math.min(-demandWatts, battery.watts, maxChargeWatts))
  const dischargeWatts = isDischarging
    ? Math.max(0, Math.min(demandWatts, battery.watts, maxDischargeWatts))
    : 0
  const change = ((chargeWatts * BATTERY_EFFICIENCY - dischargeWatts / BATTERY_EFFICIENCY) * seconds) / JOULES
  return { battery: { ...battery, stored: battery.stored + change }, watts: dischargeWatts - chargeWatts }
}

interface ClampMeter {
  /** The meter measures voltage; 513 only clamps a conductor. */
  seesVoltage: boolean
  phases: 1 | 3
  kwh: number
  /** kWh of a second register, which counts the other direction; absent if the meter has none. */
  returned?: number
  /** It measures a source: a plant, or a battery. */
  source?: true
  battery?: Battery
  /** Negative while energy flows the other way. */
  watts: number
  volts: number
  powerFactor: number
}

/** A number with the meter's resolution. */
const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** Rounds down, so that the last digit never falls. */
const roundKwh = (kwh: number) => Math.floor(kwh * 10_000) / 10_000

/** Counts energy, never backwards: energy in the other direction is counted by a second register, or not at all. */
export const clampMeter: Model<ClampMeter> = {
  make: (type, { kwh = 0, kwhReturned, phases = 1, source, storage }) => ({
    seesVoltage: type !== '513',
    phases,
    kwh,
    ...(kwhReturned !== undefined && { returned: kwhReturned }),
    ...((source || storage) && { source: true as const }),
    ...(storage && { battery: emptyBattery(storage) }),
    watts: 0,
    volts: phases === 3 ? 380 : 220,
    powerFactor: 1,
  }),
  step(state, seconds, world) {
    const worked =
      state.battery &&
      work(state.battery, seconds, { demandWatts: world.watts, isDischarging: world.batteryGives })
    const flow = worked ? worked.watts : world.watts
    const watts = state.returned === undefined ? Math.max(0, flow) : flow
    const counted = (power: number) => (Math.max(0, power) * seconds) / 3_600_000
    return {
      ...state,
      kwh: state.kwh + counted(watts),
      ...(state.returned !== undefined && { returned: state.returned + counted(-watts) }),
      ...(worked && { battery: worked.battery }),
      watts,
      volts: world.volts,
      powerFactor: world.powerFactor,
    }
  },
  report({ seesVoltage, phases, kwh, returned, watts, volts, powerFactor }) {
    const apparent = Math.abs(watts) / Math.max(0.05, powerFactor)
    return {
      AccumulatePower: roundKwh(kwh),
      ...(returned !== undefined && { AccumulateReturn: roundKwh(returned) }),
      Power: round(watts, 1),
      AvgElectricCurrent: round(apparent / (volts * (phases === 3 ? Math.sqrt(3) : 1)), 3),
      ...(seesVoltage && {
        Voltage: round(volts, 1),
        PowerFactor: round(powerFactor, 3),
        // 0 none, 1 lag, 2 lead (§4): motors lag.
        PhaseShift: powerFactor > 0.995 ? 0 : powerFactor < 0 ? 2 : 1,
      }),
    }
  },
  command: (state) => state,
  draws: ({ source, watts }) => (source ? -watts : watts),
}

interface SmartMeter extends ClampMeter {
  /** Number of lines measured separately; 0 for a single one. */
  lines: 0 | 2 | 3
}

/** Share of the load on each line: no building is balanced. */
const SHARES: Readonly<Record<SmartMeter['lines'], readonly number[]>> = {
  0: [],
  2: [0.56, 0.44],
  3: [0.37, 0.34, 0.29],
}
const LINES: Readonly<Record<string, SmartMeter['lines']>> = { 521: 2, 522: 3 }

/** Voltage of one line: line-to-line voltage is √3 of it with three phases, twice with the two lines of 110/220 V. */
const lineVolts = (lines: number, volts: number) => volts / (lines === 3 ? Math.sqrt(3) : lines)

/** A meter of the whole supply: one line (520), two of a single phase (521) or three phases (522). */
export const smartMeter: Model<SmartMeter> = {
  make: (type, wiring) => ({
    ...clampMeter.make('528', { ...wiring, phases: type === '522' ? 3 : 1 }),
    lines: LINES[type] ?? 0,
  }),
  step: (state, seconds, world) => ({ ...state, ...clampMeter.step(state, seconds, world) }),
  report(state) {
    const { lines, watts, volts, powerFactor } = state
    const each = SHARES[lines].map((share, i) => ({
      [`Power${i + 1}`]: round(watts * share, 1),
      [`Voltage${i + 1}`]: round(lineVolts(lines, volts), 1),
      [`Current${i + 1}`]: round(
        (Math.abs(watts) * share) / Math.max(0.05, Math.abs(powerFactor)) / lineVolts(lines, volts),
        3,
      ),
    }))
    return Object.assign(clampMeter.report(state), ...each) as Record<string, unknown>
  },
  command: (state) => state,
  draws: clampMeter.draws,
}

interface MeteredSwitch {
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

/** A three-phase meter behind Modbus, with a writable limit. */
interface ModbusMeter extends SmartMeter {
  /** Power in kW at which its alarm contact closes. */
  alarmLimit: number
}

const METER_ROWS = MODBUS_PRESETS.find(({ id }) => id === 'eastron-sdm630')?.rows ?? []
const ALARM_LIMIT: PresetRow = {
  Key: 'alarm_limit',
  Group: '',
  Area: 'holding',
  Address: 86,
  DataType: 'float32',
  Bit: null,
  ByteOrder: 'big',
  WordOrder: 'big',
  Scale: 1,
  Offset: 0,
  Unit: 'kW',
  Decimals: 0,
  Access: 'rw',
  Min: 10,
  Max: 500,
  Field: null,
}
const FIXED_VALUES: Readonly<Record<string, number>> = { frequency: 60 }

/** Registers of the simulated device: the relevant ones of a real meter, and the limit. */
export const SIMULATED_ROWS: readonly PresetRow[] = [
  ...METER_ROWS.filter(({ Key, Field }) => Field !== null || Key in FIXED_VALUES),
  ALARM_LIMIT,
]

const registerValue = (
  { Key, Field, Unit }: Pick<ModbusRow, 'Key' | 'Field' | 'Unit'>,
  meter: Readonly<Record<string, unknown>>,
): number | null => {
  if (Key in FIXED_VALUES) return FIXED_VALUES[Key] as number
  const value = Field === null ? undefined : meter[Field]
  return typeof value === 'number' ? value / (meterFactor(Field as string, Unit) ?? 1) : null
}

export const modbusMeter: Model<ModbusMeter> = {
  make: (_type, wiring) => ({ ...smartMeter.make('522', { ...wiring, phases: 3 }), alarmLimit: 100 }),
  step: (state, seconds, world) => ({ ...state, ...smartMeter.step(state, seconds, world) }),
  report(state) {
    const meter = smartMeter.report(state)
    const values = Object.fromEntries(SIMULATED_ROWS.map((row) => [row.Key, registerValue(row, meter)]))
    return { ...meter, ModbusValues: { ...values, [ALARM_LIMIT.Key]: state.alarmLimit } }
  },
  command: (state, { ModbusValues }) => ({
    ...state,
    alarmLimit: (ModbusValues as Record<string, number>)[ALARM_LIMIT.Key] ?? state.alarmLimit,
  }),
  draws: ({ watts }) => watts,
}
