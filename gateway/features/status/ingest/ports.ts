import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import type { Db } from '../../../kernel/db.ts'

/** A counter that a meter reported and that is not stored among its readings. */
export interface QuarantinedReading {
  meterId: number
  /** Epoch ms. */
  timestamp: number
  kwh: number
}

/**
 * Stores readings for a person to decide on: another value for an existing timestamp, or one that no meter can show.
 *
 * returns  the meters with a new entry
 */
export type Quarantine = (
  db: Db,
  readings: readonly QuarantinedReading[],
  reason: 'conflict' | 'invalid',
) => Promise<number[]>

/**
 * Raises and ends alarms by statuses that were stored in this transaction.
 *
 * returns  the alarm transitions, to be emitted after the commit
 */
export type UpdateStateAlarms = (
  tx: Db,
  homes: readonly { tenant: string; homeId: string; statuses: readonly DeviceStatus[] }[],
  now: number,
) => Promise<EmitAlarmTransition[]>
