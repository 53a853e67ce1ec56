import { useQuery } from '@tanstack/react-query'
import { ota } from '../../../contract/devices/ota-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** Polling interval while a job is in progress, for users who may not subscribe (§6: Control on ota), ms. */
const POLL_INTERVAL_MS = 10_000

/** Firmware versions, devices and updates of a home, updated live or, without that right, by polling. */
export function useOta(homeId: string, enabled = true) {
  const live = useMay('ota', 'Control')
  return useQuery({
    ...callQuery(ota.getAllOta, { HomeID: homeId }),
    enabled: enabled && homeId !== '',
    refetchInterval: ({ state }) =>
      !live && state.data?.Jobs.some(({ EndedAt }) => EndedAt === null) ? POLL_INTERVAL_MS : false,
  })
}
