import { useQuery } from '@tanstack/react-query'
import { ota } from '../../../contract/devices/ota-calls.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** Between two looks while something is under way, for who may not listen (§6: Control on ota). */
const LOOK_EVERY = 10_000

/** Versions, devices and updates of a home, kept current by the realtime channel or, without that right, by asking. */
export function useOta(homeId: string, enabled = true) {
  const live = useMay('ota', 'Control')
  return useQuery({
    ...callQuery(ota.getAllOta, { HomeID: homeId }),
    enabled: enabled && homeId !== '',
    refetchInterval: ({ state }) =>
      !live && state.data?.Jobs.some(({ EndedAt }) => EndedAt === null) ? LOOK_EVERY : false,
  })
}
