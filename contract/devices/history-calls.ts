import { z } from 'zod'
import { HistoryField } from './kinds/history-fields.ts'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis, Name, PeripheralType, PeripheralUID, RoomID } from '../kernel/scalars.ts'

/** Measured at moments, or a state that holds until it changes. */
export const HistoryKind = z.enum(['measured', 'state'])

export const HistoryQuantity = z.object({
  Field: HistoryField,
  Kind: HistoryKind,
  /** What a Modbus value is called in the device's table, what a plain sensor says it measures; null for a field with a name of its own. */
  Label: z.string().nullable(),
  /** '' for none. */
  Unit: z.string(),
  /** When it was first stored; null for a state, which holds from before its first change. */
  First: Millis.nullable(),
  /** When it was last stored, or reported. */
  Last: Millis.nullable(),
})
export type HistoryQuantity = z.infer<typeof HistoryQuantity>

/** A device with what is stored of it. One that was removed has neither name, type nor room any more. */
export const HistoryDevice = z.object({
  PeripheralUID,
  PeripheralName: Name.nullable(),
  PeripheralType: PeripheralType.nullable(),
  RoomID: RoomID.nullable(),
  Quantities: z.array(HistoryQuantity),
})
export type HistoryDevice = z.infer<typeof HistoryDevice>

/** A quantity of a device, or of a meter by its id: `AccumulatePower` of `<PeripheralUID>.return` is `AccumulateReturn` of its device. */
export const HistoryPick = z.object({ PeripheralUID: MeterID, Field: HistoryField })
export type HistoryPick = z.infer<typeof HistoryPick>

/**
 * One quantity over a range.
 *
 * BucketMs    0 when every stored value is here; else how long the buckets are whose first ms the Timestamps tell
 * Values      of a bucket the mean, of a state its last; a state holds until the next, its first value from From or
 *             from when it is known
 * Min, Max    of each bucket; null when every stored value is here
 * GapMs       between two Timestamps: a longer pause is a gap, by the device's update frequency or by what is usual where
 *             that is longer; null for a state, which has none
 * Unknown     when nobody could know a state, ascending: its hub was away, or its meter told nothing for twice its update
 *             frequency. What a report of then brought afterwards is known. From is the last moment that was known, and may be
 *             before the range; To is null for one that lasts still, or beyond it. Less than a minute is not told; empty for
 *             what is measured
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

/** At most so many quantities in one answer. */
export const MAX_HISTORY_SERIES = 8

const read = right('history', 'Read')

export const history = {
  listHistoryQuantity: defineEndpoint({
    path: '/ListHistoryQuantity',
    summary:
      'Devices of a home by id, removed ones too, with the quantities and states that are stored of each.',
    access: read,
    input: z.object({
      HomeID,
      /** Only this device. */
      PeripheralUID: PeripheralUID.optional(),
      Limit: z.number().int().min(1).max(500).default(200),
      /** NextCursor of the page before. */
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
      'Stored values of up to 8 quantities over a range: all of them, or their mean, least and most by bucket.',
    access: read,
    input: z
      .object({
        HomeID,
        Quantities: z.array(HistoryPick).min(1, 'required').max(MAX_HISTORY_SERIES, 'tooManyRows'),
        From: Millis,
        /** Exclusive. */
        To: Millis,
        /** More values than this are put into buckets. */
        Points: z.number().int().min(1).max(5000).default(1000),
      })
      .refine(({ From, To }) => From < To, { path: ['To'], error: 'upperBelowLower' }),
    results: z.array(HistorySeries),
    errors: ['NOT_FOUND'],
    shows: ['peripheral', 'modbusTable', 'metering'],
    freshFor: 60_000,
  }),
}
