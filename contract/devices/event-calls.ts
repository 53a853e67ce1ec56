import { z } from 'zod'
import { HistoryField } from './kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, Millis, PeripheralUID } from '../kernel/scalars.ts'

/**
 * Change of a device's state, such as a relay, a door or smoke, or of a count of presses. Meter counters cause no events, nor does
 * the first known value of a state.
 */
export const DeviceEvent = z.object({
  /** Identifies the event among those of its device, and orders events with the same Timestamp. */
  Seq: z.number().int(),
  /** Time of the change by the device's clock. */
  Timestamp: Millis,
  /**
   * Status field of the device's capabilities, path of a field of a zone (`ThermostatTable.3.Switch`), or `Online`: whether its hub
   * was connected, 1 or 0.
   */
  Field: HistoryField,
  /** Value before and after the change; the Before of an event is the Value of the previous one of that field. */
  Before: z.number(),
  Value: z.number(),
})
export type DeviceEvent = z.infer<typeof DeviceEvent>

export const deviceEvents = {
  listDeviceEvent: defineEndpoint({
    path: '/ListDeviceEvent',
    summary: 'State changes of one device since a time, newest first.',
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
    why: 'status/change publishes device reports, data-change events do not.',
    freshFor: 0,
  }),
  listLastChange: defineEndpoint({
    path: '/ListLastChange',
    summary:
      'Time since which each state has its value, for every device of the company that has reported one.',
    access: right('device', 'Read'),
    sites: 'mixed',
    input: z.object({ Field: HistoryField }),
    results: z.array(
      z.object({
        PeripheralUID,
        Value: z.number(),
        /** Time of the last change; if the state never changed, of its first report. */
        Since: Millis,
      }),
    ),
    shows: [],
    why: 'status/change publishes device reports, data-change events do not.',
    freshFor: 60_000,
  }),
}
