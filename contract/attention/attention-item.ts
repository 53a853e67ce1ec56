import { z } from 'zod'
import { HomeID, Millis, PeripheralType, PeripheralUID, RoomID } from '../kernel/scalars.ts'
import { Alarm, AlarmReading } from '../alarms/calls.ts'
import { Severity } from '../kernel/severity.ts'

/** Fields common to all attention items. */
const Base = z.object({
  /** Identifies the subject and reason; unchanged while the reason persists. */
  Key: z.string(),
  Severity,
  HomeID,
  /** Null for a whole home. */
  RoomID: RoomID.nullable(),
  /** A PeripheralUID; for hubs a ThingName, for `rule` an AutomationID, for `quarantined` a MeterID, for `demand` the HomeID. */
  Subject: z.string(),
  /** Present name of the device, hub or rule, or its last one if it was removed; null if unknown, and for a whole home. */
  Name: z.string().nullable(),
  /** Start time; null if unknown. */
  Since: Millis.nullable(),
  /** Reason for which the item is uncertain: it was reported before the hub was lost, or before the device was removed. */
  Stale: z.object({ Why: z.enum(['hubLost', 'removed']), Since: Millis.nullable() }).nullable(),
  /** Open alarm that is stored for the item; null for items that raise none, and while it is unknown. */
  AlarmID: Alarm.shape.AlarmID.nullable(),
  /** Acknowledgement and shelving of that alarm; neither clears it. */
  Acknowledged: Alarm.shape.Acknowledged,
  Shelved: Alarm.shape.Shelved,
})
export type Item = z.infer<typeof Base>

/** State that means alarm or warning: the status fields that mean it, and those that make them apply. */
const StateWord = z.object({
  Kind: z.literal('state'),
  PeripheralType,
  Values: z.record(z.string(), z.number()),
})
export type StateWord = z.infer<typeof StateWord>

/**
 * Attention item: what needs action, and why.
 *
 * state        a device reports an alarm or a warning, even if its hub was lost since
 * breach       readings are outside a device's limits
 * rule         an alarm of a rule: measures and their limits; IsAhead: the limit is expected to be crossed, but is not yet
 * demand       the current quarter-hour will approach or exceed the contract capacity of a home; kW
 * hubLost      a hub was connected and no longer is
 * meterSilent, silent   a meter, or another device, no longer reports although its hub is connected
 * lowBattery   remaining charge in percent
 * neverSeen    a hub has never connected, or a device has not reported since it was added
 * quarantined  number of quarantined readings of a meter that await a decision
 */
export const AttentionItem = z.discriminatedUnion('Kind', [
  Base.extend(StateWord.shape),
  Base.extend({ Kind: z.literal('breach'), Readings: z.array(AlarmReading) }),
  Base.extend({
    Kind: z.literal('rule'),
    IsAhead: z.boolean(),
    /** The device that the rule is about; null if it is not a single one. */
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

/** Whether an item is an open alarm that nobody has acknowledged or shelved: the one count of the menu and of the dashboard. */
export const isUnacknowledgedAlarm = ({
  AlarmID,
  Severity: severity,
  Acknowledged,
  Shelved,
}: AttentionItem): boolean => AlarmID !== null && severity !== 'info' && !Acknowledged && !Shelved

/** Demand of a home in the current quarter-hour, kW. */
export interface DemandFact {
  HomeID: string
  /** Forecast for the whole quarter-hour; null unless every meter that contributes reports. */
  Forecast: number | null
  /** Contract capacity in it; null if none is agreed. */
  Limit: number | null
  /** Whether an active alarm rule monitors the demand of this home; its alarm then replaces the item. */
  IsRuled: boolean
}

/** Quarantined readings of a meter: their number, and the time of the oldest. */
export interface QuarantinedFact {
  HomeID: string
  MeterID: string
  Name: string | null
  RoomID: number | null
  Count: number
  Since: number
}
