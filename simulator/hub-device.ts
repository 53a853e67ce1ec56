import type { Wiring } from './models/model.ts'
import type { Defect } from './scenarios/defect.ts'
import type { ProfileName } from './scenarios/profiles.ts'
import type { Visit } from './scenarios/visitors.ts'

/** How the day goes for one device, as plain data. */
export interface DeviceScenario {
  profile: ProfileName
  /** Names the room or machine it stands for: each has chances of its own. */
  key: string
  /** The rooms whose people it sees or serves; the key's if absent. */
  rooms?: readonly string[]
  /** Rated W of the load a meter measures. */
  watts?: number
  /** PeripheralUIDs on the same hub whose loads flow through this meter; they stand before it in the list. Plants take from it. */
  feeds?: readonly string[]
  /** What is wrong with it, and when. */
  defects?: readonly Defect[]
  /** When somebody comes to it in a rush. */
  visit?: Visit | undefined
  wiring?: Wiring
}

/** A simulated end device as its hub knows it. Names are those of the wire. */
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

/** A hub with what it needs to connect: AddThing's answer, the company's id and the devices it carries. */
export interface FleetHub {
  /** The company's RootCognitoId, first level of its topics. */
  rootId: string
  HomeID: string
  ThingName: string
  Secret: string
  devices: readonly HubDevice[]
}
