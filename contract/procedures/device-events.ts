import { z } from 'zod'
import { right } from '../features.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, PeripheralUID } from '../kernel/scalars.ts'

/** A state of a device that changed: a relay, a door, smoke. What a meter counts is no event. */
export const DeviceEvent = z.object({
  /** When the device says that it happened. */
  Timestamp: Millis,
  /** A status field of the device's capabilities. */
  Field: z.string(),
  /** What it was, and what it became. */
  Before: z.number().nullable(),
  Value: z.number(),
})
export type DeviceEvent = z.infer<typeof DeviceEvent>

export const deviceEvents = {
  listDeviceEvent: defineEndpoint({
    path: '/ListDeviceEvent',
    summary: 'What changed at one device since a moment, newest first.',
    access: right('device', 'Read'),
    input: z.object({
      HomeID,
      PeripheralUID,
      Since: Millis.default(0),
      Limit: z.number().int().min(1).max(200).default(50),
    }),
    results: z.array(DeviceEvent),
    errors: ['NOT_FOUND'],
    shows: [],
    why: 'Of what devices report status/change tells, not the changes of records.',
    freshFor: 0,
  }),
}
