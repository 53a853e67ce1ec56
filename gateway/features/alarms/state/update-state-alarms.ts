import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { alarmStateOf, hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/emit-alarm-events.ts'
import type { Db } from '../../../store/db.ts'
import { type AlarmPorts, applySignals } from './apply-signals.ts'
import { deviceSubject, type Signal } from './signals.ts'

/** Merged statuses of one home. */
export interface HomeStatuses {
  tenant: string
  homeId: string
  statuses: readonly DeviceStatus[]
}

/**
 * Raises, changes and ends the alarms of devices by what they report. The caller holds their statuses until its transaction
 * ends, so that reports of one device follow each other; to say the same again changes nothing.
 *
 * homes    statuses as they stand after a report; those that cannot be an alarm are passed over
 * now      epoch ms, by which maintenance has ended or not
 * stands   it was kept back and is so still: people are told, however old the report is
 * returns  what became of alarms, to be told after the commit
 */
export type UpdateStateAlarms = (
  tx: Db,
  homes: readonly HomeStatuses[],
  now: number,
  stands?: boolean,
) => Promise<EmitAlarmTransition[]>

export const createStateAlarmUpdater =
  (ports: AlarmPorts): UpdateStateAlarms =>
  async (tx, homes, now, stands = false) => {
    const signals = new Map<string, Signal>()
    for (const { tenant, homeId, statuses } of homes)
      for (const status of statuses) {
        if (!hasAlarmStates(status.PeripheralType)) continue
        const { PeripheralUID: uid, PeripheralType: type, Timestamp: at } = status
        const state = alarmStateOf(status)
        const says = state && {
          severity: state.Severity,
          values: state.Values,
          readings: [],
          isFire: state.isFire,
        }
        signals.set(`${tenant}/${uid}`, {
          ...deviceSubject('state', { tenant, homeId, uid, type }),
          says: says ?? null,
          at,
          stands,
          unknown: Object.keys(status).filter((field) => status[field] === null),
        })
      }
    return applySignals(tx, ports, [...signals.values()], now)
  }
