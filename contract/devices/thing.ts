import { z } from 'zod'
import { credential } from '../kernel/credential.ts'
import { defineResource } from '../kernel/define-resource.ts'
import { HomeID, Millis, Name, RoomID, ThingName } from '../kernel/scalars.ts'

/** Hub: connects its peripherals over MQTT. ThingName is unique in the whole gateway (§3). */
export const Thing = z.object({ ThingName, DeviceName: Name, HomeID, RoomID })
export type Thing = z.infer<typeof Thing>

/** Hub with its connection state from its info shadow. SeenAt is null until it first connects. */
export const ThingWithState = Thing.extend({ Online: z.boolean(), SeenAt: Millis.nullable() })
export type ThingWithState = z.infer<typeof ThingWithState>

export const ThingKey = Thing.pick({ HomeID: true, ThingName: true })
export type ThingKey = z.infer<typeof ThingKey>

/** MQTT credentials of a hub (user name ThingName). Shown once; only the hash is stored. */
export const ThingCredentials = ThingKey.extend({ Secret: credential(z.string()) })

const Described = Thing.pick({ DeviceName: true, RoomID: true }).partial()

export const thing = defineResource({
  name: 'thing',
  scope: 'home',
  feature: 'device',
  record: Thing,
  key: ['ThingName'],
  events: { add: ThingWithState, update: Thing, remove: ThingKey },
  operations: {
    create: {
      path: '/AddThing',
      summary: 'Adds a hub to a home and returns its credentials, only this once.',
      input: Thing.omit({ ThingName: true }).extend({ RoomID: RoomID.default(0) }),
      results: Thing.extend({ Secret: credential(z.string()) }),
      errors: ['NOT_FOUND'],
    },
    update: {
      path: '/UpdateThingInfo',
      summary:
        'Renames a hub or moves it to another room of its home. Rejected if a field differs from its value in Seen.',
      input: ThingKey.extend(Described.shape).extend({ Seen: Described.optional() }),
      results: Thing,
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    remove: {
      path: '/RemoveThing',
      summary: 'Deletes a hub with its devices and ends its connection.',
      input: ThingKey,
      results: ThingKey,
      errors: ['NOT_FOUND'],
      changes: ['peripheral', 'group', 'scene', 'automation'],
    },
  },
})
