import { z } from 'zod'
import { HomeID, Millis, PeripheralType, PeripheralUID, RoomID } from '../kernel/scalars.ts'
import { Alarm, AlarmReading } from '../alarms/calls.ts'
import { Severity } from '../kernel/severity.ts'

/** What every item says of what needs somebody. */
const Base = z.object({
  /** Of one thing for one reason: the same as long as that stands. */
  Key: z.string(),
  Severity,
  HomeID,
  /** Null of a home as a whole. */
  RoomID: RoomID.nullable(),
  /** A PeripheralUID, of hubs a ThingName, of `rule` an AutomationID, of `quarantined` a MeterID, of `demand` the HomeID. */
  Subject: z.string(),
  /** What the device, hub or rule is called, or was when it was removed; null where nobody knows, and of a home as a whole. */
  Name: z.string().nullable(),
  /** Since when; null when nobody knows. */
  Since: Millis.nullable(),
  /** Why this is no longer certain: what was said last before the hub was lost, or the device was removed. */
  Stale: z.object({ Why: z.enum(['hubLost', 'removed']), Since: Millis.nullable() }).nullable(),
  /** The open alarm that is stored of it; null for what raises none, and as long as it is not known. */
  AlarmID: Alarm.shape.AlarmID.nullable(),
  /** Who knows of that alarm, and until when it is put aside: neither ends it. */
  Acknowledged: Alarm.shape.Acknowledged,
  Shelved: Alarm.shape.Shelved,
})
export type Item = z.infer<typeof Base>

/** A state that means alarm or warning: the status fields that say so, and what makes them apply. */
const StateWord = z.object({
  Kind: z.literal('state'),
  PeripheralType,
  Values: z.record(z.string(), z.number()),
})
export type StateWord = z.infer<typeof StateWord>

/**
 * What needs somebody, and why.
 *
 * state        a device says that something is wrong, also behind a lost hub
 * breach       readings are outside of a device's limits
 * rule         an alarm of a rule: which measures, and their limits; IsAhead: the limit will be crossed at this pace, and is not yet
 * demand       the running quarter of an hour will come near the contract of a home, or pass it; kW
 * hubLost      a hub was there and is away
 * meterSilent, silent   a meter, or another device, reports no more though its hub is there
 * lowBattery   per cent that are left
 * neverSeen    a hub has never connected, or a device has not reported since it was added
 * quarantined     readings of a meter wait for a decision; how many
 */
export const AttentionItem = z.discriminatedUnion('Kind', [
  Base.extend(StateWord.shape),
  Base.extend({ Kind: z.literal('breach'), Readings: z.array(AlarmReading) }),
  Base.extend({
    Kind: z.literal('rule'),
    IsAhead: z.boolean(),
    /** The one device that it is about. */
    PeripheralUID: PeripheralUID.nullable(),
    Readings: z.array(AlarmReading),
  }),
  Base.extend({ Kind: z.literal('demand'), Forecast: z.number(), Limit: z.number() }),
  Base.extend({ Kind: z.literal('hubLost') }),
  Base.extend({ Kind: z.literal('meterSilent') }),
  Base.extend({ Kind: z.literal('silent') }),
  Base.extend({ Kind: z.literal('lowBattery'), Battery: z.number() }),
  Base.extend({ Kind: z.literal('neverSeen'), IsHub: z.boolean() }),
  Base.extend({ Kind: z.literal('quarantined'), Count: z.number().int() }),
])
export type AttentionItem = z.infer<typeof AttentionItem>

/** The demand of a home in the running quarter of an hour, kW. */
export interface DemandFact {
  HomeID: string
  /** What the quarter will come to; null unless every meter that makes it reports. */
  Forecast: number | null
  /** What the contract allows in it; null where nothing is agreed. */
  Limit: number | null
  /** Whether an alarm rule on the demand of this home is at work: then its alarm says it. */
  IsRuled: boolean
}

/** Readings of a meter that wait for a decision: how many, and when the oldest was taken. */
export interface QuarantinedFact {
  HomeID: string
  MeterID: string
  Name: string | null
  RoomID: number | null
  Count: number
  Since: number
}
