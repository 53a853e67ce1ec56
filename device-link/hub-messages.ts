import { otaReport } from '../contract/devices/channels/ota.ts'
import { controlAck, statusReport } from '../contract/devices/channels/control.ts'
import { meterReport } from '../contract/meters/channels.ts'
import { shadowUpdate } from '../contract/devices/channels/shadow.ts'
import type { ShadowName } from '../contract/devices/shadow-names.ts'
import { settingsRequest } from '../contract/devices/channels/settings.ts'
import type { PayloadOf } from '../contract/kernel/define-channel.ts'
import type { Message } from './outbox.ts'

/** Budget for the device list: a shadow document may have 8 KB, and its other fields need some of that. */
const ANNOUNCED_BYTES = 7_000

/** Address of a hub: the company's RootCognitoId, its Home and its own name. */
export interface HubPlace {
  rootId: string
  HomeID: string
  ThingName: string
}

/** A device as its hub announces it. */
export interface AnnouncedDevice {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName?: string
  FirmwareVersion?: string | undefined
}

/** The messages that a hub sends (docs/hub-protocol.md). */
export function hubMessages({ rootId, HomeID, ThingName }: HubPlace) {
  const place = { rootId, homeId: HomeID }
  const topics = {
    status: statusReport.topic(place),
    meter: meterReport.topic(place),
    ack: controlAck.topic(place),
    ota: otaReport.topic(place),
  }
  const shadow = (shadowName: ShadowName, payload: PayloadOf<typeof shadowUpdate>): Message => ({
    topic: shadowUpdate.topic({ thingName: ThingName, shadowName }),
    payload: JSON.stringify(payload),
  })
  return {
    /** The info shadow. The last will has no Timestamp because it is written long before it is sent. */
    info: (online: boolean, Timestamp?: number, FirmwareVersion?: string): Message =>
      shadow('info', {
        state: {
          reported: {
            ThingName,
            homeID: HomeID,
            online,
            ...(Timestamp && { Timestamp }),
            ...(FirmwareVersion && { FirmwareVersion }),
          },
        },
      }),

    /** The hub's device list, split into as many updates as its size requires; clientToken is the update's number. */
    announce(devices: readonly AnnouncedDevice[]): Message[] {
      const chunks: object[][] = []
      let bytes = Infinity
      for (const { PeripheralUID, PeripheralType, PeripheralName, FirmwareVersion } of devices) {
        const one = { PeripheralUID, PeripheralType, PeripheralName, FirmwareVersion }
        const size = Buffer.byteLength(JSON.stringify(one)) + 1
        if (bytes + size > ANNOUNCED_BYTES) {
          chunks.push([])
          bytes = 0
        }
        bytes += size
        chunks.at(-1)?.push(one)
      }
      return chunks.map((Peripherals, number) =>
        shadow('registration', {
          state: { reported: { homeID: HomeID, Peripherals } },
          clientToken: `${ThingName}-${number}`.slice(-64),
        }),
      )
    },

    status: (Timestamp: number, Peripherals: { PeripheralUID: string }[]): Message => ({
      topic: topics.status,
      payload: JSON.stringify({ ThingName, Timestamp, Peripherals }),
    }),

    readings: (Readings: object[]): Message => ({
      topic: topics.meter,
      payload: JSON.stringify({ ThingName, Readings }),
    }),

    ack: (result: Omit<PayloadOf<typeof controlAck>, 'ThingName'>): Message => ({
      topic: topics.ack,
      payload: JSON.stringify({ ThingName, ...result }),
    }),

    /** Requests the settings of the hub's devices. */
    askSettings: (): Message => ({
      topic: settingsRequest.topic({ ...place, thingName: ThingName }),
      payload: '{}',
    }),

    ota: (report: Omit<PayloadOf<typeof otaReport>, 'ThingName'>): Message => ({
      topic: topics.ota,
      payload: JSON.stringify({ ThingName, ...report }),
    }),
  }
}
