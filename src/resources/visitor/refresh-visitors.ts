import { accessControl } from '../../../contract/procedures/access-control.ts'
import { callKey, queryClient } from '../../data/api.ts'
import { refreshAfter } from '../../record-kit/refresh-after.ts'

/** Fetches again what shows visitors, after this screen changed one. */
export async function refreshVisitors(): Promise<void> {
  await Promise.all([
    refreshAfter('visitor'),
    queryClient.invalidateQueries({ queryKey: callKey(accessControl.getVisitorOverview) }),
    queryClient.invalidateQueries({ queryKey: callKey(accessControl.getVisitorPass) }),
    queryClient.invalidateQueries({ queryKey: callKey(accessControl.listInside) }),
  ])
}
