import { useQuery } from '@tanstack/react-query'
import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { maintenances, type Maintenance } from '../../../contract/alarms/maintenance-calls.ts'
import { callQuery } from '../../data/api.ts'

/** More alarms at a time than anybody looks through; what is beyond is shown from what devices report. */
const MOST = 500
const alarmsQuery = callQuery(alarms.listAlarm, { State: 'current', Limit: MOST })
const maintenanceQuery = callQuery(maintenances.listMaintenance, {})

/** What people and the gateway have said of devices, beside what these report. */
export interface DeviceNotes {
  /** Undefined until they are known. */
  alarms: readonly Alarm[] | undefined
  maintenances: readonly Maintenance[] | undefined
  /** Why one of them is not known. */
  error: Error | null
  retry: () => void
}

/** The current alarms and what is in maintenance, of all homes; live. Needs the right to read devices. */
export function useDeviceNotes(enabled = true): DeviceNotes {
  const current = useQuery({ ...alarmsQuery, enabled })
  const maintained = useQuery({ ...maintenanceQuery, enabled })
  return {
    alarms: current.data?.Rows,
    maintenances: maintained.data,
    error: (!current.data && current.error) || (!maintained.data && maintained.error) || null,
    retry: () => {
      if (current.error) void current.refetch()
      if (maintained.error) void maintained.refetch()
    },
  }
}

/** What is in maintenance, of all homes; live. Undefined until it is known. */
export const useMaintenances = (enabled = true): readonly Maintenance[] | undefined =>
  useQuery({ ...maintenanceQuery, enabled }).data
