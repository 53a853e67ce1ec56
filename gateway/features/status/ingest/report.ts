import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { FaultReason } from '../../../../contract/setup/report-fault-calls.ts'
import { returnIdOf } from '../../../../contract/devices/meter-roles.ts'

/** What ingest must know of a device to take its reports. */
export interface Device {
  /** Tenant and uid in one: the same device always has the same key. */
  key: string
  tenant: string
  peripheralUID: string
  type: string
  homeId: string
  /** The hub that speaks for it; reports from any other are refused. */
  thingName: string
  /** The line that a person says it sits on, for a meter that measures no voltage. */
  line?: { Voltage: number; PhaseElectricPower: 1 | 3 | null } | undefined
  /** The number its readings are stored under; undefined before its first reading. */
  meterId: number | undefined
  /** Fields of its reports that could not be used and have not been well since, by their paths; undefined for none. */
  faulty?: Set<string> | undefined
  /** Its second register, a meter of its own (`returnIdOf`), once a reading had one. */
  second?: Device
  /** Whether this is a second register: it has readings and no status. */
  isSecond?: boolean
}

/** A meter's counter in kWh and what else it measured, as it is stored. */
export interface Reading {
  AccumulatePower: number
  Power?: number | undefined
  AvgElectricCurrent?: number | undefined
  Voltage?: number | undefined
  PowerFactor?: number | undefined
}

/** A field of a report that could not be used, or with an empty path all of a part or message. */
export interface Fault {
  field: string
  reason: FaultReason
  /** The value as it came; undefined if there was none. */
  came: unknown
}

/** One device's part of a report, checked. */
export interface Report {
  device: Device
  /** Epoch ms by the device's clock. */
  timestamp: number
  /** Status fields of the device's type; null is unknown from now on. */
  values: CommandValues
  /** Fields that could not be used. */
  faults?: readonly Fault[]
  /** Set when the report is a meter reading. */
  reading?: Reading
  /** What the meter's second register showed at the same moment. */
  second?: Report
  /** A counter, or one of the second register, that no meter can show: a person may judge it. */
  invalid?: { device: Device; timestamp: number; kwh: number }
  invalidSecond?: { device: Device; timestamp: number; kwh: number }
}

/** The second register of a device: the same one each time, so that its number is found once. */
export const secondRegisterOf = (device: Device): Device =>
  (device.second ??= {
    ...device,
    key: returnIdOf(device.key),
    peripheralUID: returnIdOf(device.peripheralUID),
    meterId: undefined,
    isSecond: true,
  })
