import { z } from 'zod'
import { HistoryField } from './kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, Name, PeripheralType, PeripheralUID, RoomID } from '../kernel/scalars.ts'

/** Measured at points in time, or a state that holds until it changes. */
export const HistoryKind = z.enum(['measured', 'state'])

export const HistoryQuantity = z.object({
  Field: HistoryField,
  Kind: HistoryKind,
  /** Name of a Modbus value in the device's table, or the measured quantity that a plain sensor reports; null for other fields. */
  Label: z.string().nullable(),
  /** '' for none. */
  Unit: z.string(),
  /** Time of the first stored value; null for a state, which was valid before its first change. */
  First: Millis.nullable(),
  /** Time of the last stored value or report. */
  Last: Millis.nullable(),
})
export type HistoryQuantity = z.infer<typeof HistoryQuantity>

/** Device with its stored quantities. Name, type and room of a removed device are null. */
export const HistoryDevice = z.object({
  PeripheralUID,
  PeripheralName: Name.nullable(),
  PeripheralType: PeripheralType.nullable(),
  RoomID: RoomID.nullable(),
  Quantities: z.array(HistoryQuantity),
})
export type HistoryDevice = z.infer<typeof HistoryDevice>

/**
 * Quantity of a device, or of a meter by its ID: `AccumulatePower` of `<PeripheralUID>.return` is `AccumulateReturn` of its device.
 */
export const HistoryPick = z.object({ PeripheralUID: MeterID, Field: HistoryField })
export type HistoryPick = z.infer<typeof HistoryPick>

/**
 * Values of one quantity over a range.
 *
 * BucketMs    0 if all stored values are included; else the bucket length, and Timestamps are the starts of buckets
 * Values      mean of a bucket, or the last value of a state; a state holds until the next one, its first value from From or
 *             from when it is known
 * Min, Max    of each bucket; null if all stored values are included
 * GapMs       a longer pause between two Timestamps is a gap: by the device's update frequency, or by the usual interval if
 *             that is longer; null for a state, which has no gaps
 * Unknown     ascending times in which a state was unknown: its hub was offline, or its meter did not report for twice its update
 *             frequency. Values reported later for that time are known. From is the last known time and may precede the range;
 *             To is null if it continues, or ends after the range. Less than a minute is omitted; empty for measured
 *             quantities
 */
export const HistorySeries = z.object({
  PeripheralUID: MeterID,
  Field: HistoryField,
  Kind: HistoryKind,
  Unit: z.string(),
  BucketMs: z.number().int().min(0),
  GapMs: z.number().int().min(1).nullable(),
  Timestamps: z.array(Millis),
  Values: z.array(z.number()),
  Min: z.array(z.number()).nullable(),
  Max: z.array(z.number()).nullable(),
  Unknown: z.array(z.object({ From: Millis, To: Millis.nullable() })),
})
export type HistorySeries = z.infer<typeof HistorySeries>

export const MAX_HISTORY_SERIES = 8

const read = right('history', 'Read')

export const history = {
  listHistoryQuantity: defineEndpoint({
    path: '/ListHistoryQuantity',
    summary:
      'Devices of a home by id, including removed ones, with the quantities and states that are stored for each.',
    access: read,
    input: z.object({
      HomeID,
      PeripheralUID: PeripheralUID.optional(),
      Limit: z.number().int().min(1).max(500).default(200),
      Cursor: PeripheralUID.optional(),
    }),
    results: z.object({ Devices: z.array(HistoryDevice), NextCursor: PeripheralUID.nullable() }),
    errors: ['NOT_FOUND'],
    shows: ['peripheral', 'modbusTable', 'metering'],
    freshFor: 60_000,
  }),
  getHistorySeries: defineEndpoint({
    path: '/GetHistorySeries',
    summary:
      'Stored values of up to 8 quantities over a range: raw, or mean, minimum and maximum per bucket.',
    access: read,
    input: z
      .object({
        HomeID,
        Quantities: z.array(HistoryPick).min(1, 'required').max(MAX_HISTORY_SERIES, 'tooManyRows'),
        From: Millis,
        /** Exclusive. */
        To: Millis,
        /** Maximum values; more are aggregated into buckets. */
        Points: z.number().int().min(1).max(5000).default(1000),
      })
      .refine(({ From, To }) => From < To, { path: ['To'], error: 'upperBelowLower' }),
    results: z.array(HistorySeries),
    errors: ['NOT_FOUND'],
    shows: ['peripheral', 'modbusTable', 'metering'],
    freshFor: 60_000,
  }),
}
