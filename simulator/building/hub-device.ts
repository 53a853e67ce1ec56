import type { Wiring } from '../models/model.ts'
import type { Defect } from '../scenarios/defect.ts'
import type { ProfileName } from '../scenarios/profiles.ts'
import type { Visit } from '../scenarios/visitors.ts'

/** Simulated behavior of one device, as plain data. */
export interface DeviceScenario {
  profile: ProfileName
  /** Identifies the room or machine; the random numbers are derived from it. */
  key: string
  /** Rooms whose people it detects or serves; `key` if absent. */
  rooms?: readonly string[]
  /** Rated power in W of the load that a meter measures. */
  watts?: number
  /** PeripheralUIDs on the same hub whose loads flow through this meter; they precede it in the list. Plants reduce it. */
  feeds?: readonly string[]
  defects?: readonly Defect[]
  /** Visit to the device during a rush. */
  visit?: Visit | undefined
  wiring?: Wiring
}

/** A simulated end device. Field names are those of the wire format. */
export interface HubDevice {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName: string
  /** Seconds between two readings of a meter. */
  PowerMeterUpdateFrequency?: number
  /** Seconds a dry contact stays closed in pulse mode. */
  PulseDuration?: 60 | 300 | 600 | 900
  scenario: DeviceScenario
}

/** A hub with its connection data: AddThing's answer, the company's id and its devices. */
export interface FleetHub {
  /** The company's RootCognitoId, first level of its topics. */
  rootId: string
  HomeID: string
  ThingName: string
  Secret: string
  devices: readonly HubDevice[]
}
