import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { FaultReason } from '../../../../contract/setup/calls.ts'
import { returnIdOf } from '../../../../contract/devices/kinds/meter-id.ts'

/** Data of a device that ingest needs. */
export interface Device {
  /** Tenant and uid, joined. */
  key: string
  tenant: string
  peripheralUID: string
  type: string
  homeId: string
  /** The hub of the device; reports from any other are refused. */
  thingName: string
  /** Configured line of a meter that does not measure voltage. */
  line?: { Voltage: number; PhaseElectricPower: 1 | 3 | null } | undefined
  /** Number under which its readings are stored; undefined before its first reading. */
  meterId: number | undefined
  /** Paths of fields with an open fault in its reports; undefined for none. */
  faulty?: Set<string> | undefined
  /** Its second register, a meter of its own (`returnIdOf`), once a reading had one. */
  returnMeter?: Device
  /** Whether this is a second register: it has readings and no status. */
  isReturn?: boolean
}

/** A meter's counter in kWh and its other measurements, as stored. */
export interface Reading {
  AccumulatePower: number
  Power?: number | undefined
  AvgElectricCurrent?: number | undefined
  Voltage?: number | undefined
  PowerFactor?: number | undefined
}

/** A field of a report that could not be used; an empty path means the whole part or message. */
export interface Fault {
  field: string
  reason: FaultReason
  /** The value as received; undefined if missing. */
  value: unknown
}

/** One device's validated part of a report. */
export interface Report {
  device: Device
  /** Epoch ms by the device's clock. */
  timestamp: number
  /** Status fields of the device's type; null means unknown from now on. */
  values: CommandValues
  /** Fields that could not be used. */
  faults?: readonly Fault[]
  /** Set if the report is a meter reading. */
  reading?: Reading
  /** Reading of the meter's second register with the same timestamp. */
  returnReport?: Report
  /** A counter, of the meter or its second register, that no meter can show: a person decides on it. */
  invalid?: { device: Device; timestamp: number; kwh: number }
  invalidReturn?: { device: Device; timestamp: number; kwh: number }
}

/** The second register of a device; always the same object, so that its number is looked up once. */
export const secondRegisterOf = (device: Device): Device =>
  (device.returnMeter ??= {
    ...device,
    key: returnIdOf(device.key),
    peripheralUID: returnIdOf(device.peripheralUID),
    meterId: undefined,
    isReturn: true,
  })
