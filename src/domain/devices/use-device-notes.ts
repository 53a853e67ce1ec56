import { useQuery } from '@tanstack/react-query'
import { alarms, type Alarm, maintenances, type Maintenance } from '../../../contract/alarms/calls.ts'
import { callQuery, queryClient, refetchAnswer } from '../../data/api.ts'

/** Maximum number of alarms; devices beyond it are shown by their reports alone. */
const MAX_DEVICES = 500
const alarmsQuery = callQuery(alarms.listAlarm, { State: 'current', Limit: MAX_DEVICES })
const maintenanceQuery = callQuery(maintenances.listMaintenance, {})

/** Alarms and maintenances, in addition to the reports of devices. */
export interface DeviceNotes {
  /** Undefined while loading. */
  alarms: readonly Alarm[] | undefined
  maintenances: readonly Maintenance[] | undefined
  /** Error of either query. */
  error: Error | null
  retry: () => void
}

/** Current alarms and maintenances of all homes, updated live. Needs the right to read devices. */
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

/** Keys of the queries of the notes. */
export const DEVICE_NOTES_KEYS = [alarmsQuery.queryKey, maintenanceQuery.queryKey] as const

/** The cached notes; fetches nothing. */
export function cachedDeviceNotes(): DeviceNotes {
  const current = queryClient.getQueryState(alarmsQuery.queryKey)
  const maintained = queryClient.getQueryState(maintenanceQuery.queryKey)
  return {
    alarms: current?.data?.Rows,
    maintenances: maintained?.data,
    error: (!current?.data && current?.error) || (!maintained?.data && maintained?.error) || null,
    retry: refetchFailed,
  }
}

function refetchFailed(): void {
  for (const key of DEVICE_NOTES_KEYS) if (queryClient.getQueryState(key)?.error) refetchAnswer(key)
}

/** Maintenances of all homes, updated live; undefined while loading. */
export const useMaintenances = (enabled = true): readonly Maintenance[] | undefined =>
  useQuery({ ...maintenanceQuery, enabled }).data
