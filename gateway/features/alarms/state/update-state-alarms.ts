import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { alarmStateOf, hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import type { Db } from '../../../kernel/db.ts'
import { type AlarmPorts, applySignals } from './apply-signals.ts'
import { deviceSubject, type Signal } from './signals.ts'

/** Merged statuses of one home. */
export interface HomeStatuses {
  tenant: string
  homeId: string
  statuses: readonly DeviceStatus[]
}

/**
 * Raises, changes and ends the alarms of devices by their reports. The caller locks their statuses until its
 * transaction ends, so that reports of one device are processed in order. Idempotent.
 *
 * homes    statuses after a report; devices without alarm states are skipped
 * now      epoch ms, for maintenance
 * `isOngoing` the state was suppressed and is current: people are notified, however old the report is
 * returns  the alarm transitions, to be announced after the commit
 */
export type UpdateStateAlarms = (
  tx: Db,
  homes: readonly HomeStatuses[],
  now: number,
  isOngoing?: boolean,
) => Promise<EmitAlarmTransition[]>

export const createStateAlarmUpdater =
  (ports: AlarmPorts): UpdateStateAlarms =>
  async (tx, homes, now, isOngoing = false) => {
    const signals = new Map<string, Signal>()
    for (const { tenant, homeId, statuses } of homes)
      for (const status of statuses) {
        if (!hasAlarmStates(status.PeripheralType)) continue
        const { PeripheralUID: uid, PeripheralType: type, Timestamp: at } = status
        const state = alarmStateOf(status)
        const signalState = state && {
          severity: state.Severity,
          values: state.Values,
          readings: [],
          isFire: state.isFire,
        }
        signals.set(`${tenant}/${uid}`, {
          ...deviceSubject('state', { tenant, homeId, uid, type }),
          says: signalState ?? null,
          at,
          stands: isOngoing,
          unknown: Object.keys(status).filter((field) => status[field] === null),
        })
      }
    return applySignals(tx, ports, [...signals.values()], now)
  }
