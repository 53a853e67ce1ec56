import type { Entity } from '../../contract/kernel/entities.ts'
import { cacheInvalidation } from '../data/api.ts'
import type { AnyChange } from '../data/cache-patches.ts'
import { currentHomeId, setCurrentHome } from '../data/current-home.ts'
import { cachedDevices } from '../data/homes.ts'
import { goTo } from '../data/navigator.ts'
import { statuses } from '../data/status-store.ts'
import { createEmitter } from '../lib/create-emitter.ts'
import { pathOf, pathTo } from '../navigation/paths.ts'
import type { ReceivedChange } from './route.ts'
import { sideEffectsOf } from './side-effects.ts'
import { refreshTopics } from './subscriptions.ts'

/** Changes of records, after the cache is updated; for Refine: screens use the cache. */
export const dataChangeEvents = createEmitter<AnyChange>()

/** Updates cached answers, statuses and subscriptions after a change of a record, and leaves a page whose home or room was deleted. */
export function handleDataChange({ change, requestId }: ReceivedChange): void {
  const page = pathOf(location.pathname)
  const roomId = page?.name === 'RoomDevice' ? Number(page.params['RoomID']) : undefined
  const { goTo: next, removedUids } = sideEffectsOf(
    change,
    { homeId: currentHomeId(), roomId },
    cachedDevices,
  )
  const [entity, event] = change.name.split('.') as [Entity, string]
  void cacheInvalidation.invalidate([{ entity, event, record: change.record, requestId }])
  for (const uid of removedUids) statuses.remove(uid)
  if (entity === 'thing' || entity === 'home') void refreshTopics()
  dataChangeEvents.emit(change)
  if (next?.page === 'HomeList') {
    setCurrentHome(undefined)
    goTo(pathTo('HomeList'), { replace: true })
  } else if (next) goTo(pathTo('DeviceList', { HomeID: next.homeId }), { replace: true })
}
