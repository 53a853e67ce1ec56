import { z } from 'zod'
import { HistoryField } from './kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, PeripheralUID } from '../kernel/scalars.ts'

/**
 * A state of a device that changed, a relay, a door, smoke, or a count of presses. What a meter counts is no event, and neither is
 * the first value that is known of a state.
 */
export const DeviceEvent = z.object({
  /** Names the event among those of its device; the order of two in one moment. */
  Seq: z.number().int(),
  /** When the device says that it happened. */
  Timestamp: Millis,
  /**
   * A status field of the device's capabilities, the path of a zone's (`ThermostatTable.3.Switch`), or `Online`: whether its
   * hub was connected, 1 or 0.
   */
  Field: HistoryField,
  /** What it was, and what it became: of one field, each event's Before is the Value of the one before. */
  Before: z.number(),
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
  listLastChange: defineEndpoint({
    path: '/ListLastChange',
    summary: 'Since when a state is what it is, of every device of the company that has told of it.',
    access: right('device', 'Read'),
    input: z.object({ Field: HistoryField }),
    results: z.array(
      z.object({
        PeripheralUID,
        Value: z.number(),
        /** When it became so; of a state that never changed, when it was first told. */
        Since: Millis,
      }),
    ),
    shows: [],
    why: 'Of what devices report status/change tells, not the changes of records.',
    freshFor: 60_000,
  }),
}
