import { z } from 'zod'
import { right } from '../../kernel/permissions.ts'
import { defineChannel } from '../../kernel/define-channel.ts'
import { Peripheral } from '../peripheral.ts'

const read = right('device', 'Read')

export const MAX_SETTINGS = 500

/** Settings of a device that its hub needs (§3): seconds between readings, control mode, pulse time, lamp threshold. */
export const HubSettings = Peripheral.pick({
  PeripheralUID: true,
  PowerMeterUpdateFrequency: true,
  ControlMode: true,
  PulseDuration: true,
  LightHouseThreshold: true,
})
export type HubSettings = z.infer<typeof HubSettings>

/** Request of a hub for the settings of its devices, after it connected. */
export const settingsRequest = defineChannel({
  template: '{rootId}/{homeId}/settings/request/{thingName}',
  summary: 'Requests the settings of devices of this hub; answered on settings/device.',
  publishers: ['hub'],
  subscribers: [],
  access: read,
  payload: z.object({}),
})

/** Settings of devices. Sent as an answer, and without a request if a setting changed or a device was added. */
export const settingsOf = defineChannel({
  template: '{rootId}/{homeId}/settings/device/{thingName}',
  summary: 'Settings of devices of this hub; null leaves the choice to the device.',
  publishers: ['gateway'],
  subscribers: ['hub'],
  access: read,
  payload: z.object({ Settings: z.array(HubSettings).max(MAX_SETTINGS) }),
})
