import { useMemo, useSyncExternalStore } from 'react'
import type { Group } from '../../../contract/automation/group.ts'
import { useDevices } from '../../data/homes.ts'
import { statuses } from '../../data/status-store.ts'
import { groupState, type GroupState, type MemberStatus } from './group-state.ts'

type Asked = Pick<Group, 'HomeID' | 'GroupType' | 'PeripheralList'>

/** What a group is like now, and what its first known member says; live. */
export function useGroupLive({ HomeID, GroupType, PeripheralList }: Asked): {
  state: GroupState
  status: MemberStatus
} {
  const snapshot = useDevices(HomeID).data
  const away = useMemo(() => {
    const hubs = new Set(snapshot?.Things.filter(({ Online }) => !Online).map(({ ThingName }) => ThingName))
    return new Set(
      snapshot?.Peripherals.filter(({ ThingName }) => ThingName !== null && hubs.has(ThingName)).map(
        ({ PeripheralUID }) => PeripheralUID,
      ),
    )
  }, [snapshot])
  const known = () => PeripheralList.map((uid) => (away.has(uid) ? undefined : statuses.get(uid)))
  // A text, so that it draws again only when it says something else.
  const text = useSyncExternalStore(statuses.subscribeAll, () =>
    JSON.stringify(groupState(GroupType, known())),
  )
  return { state: JSON.parse(text) as GroupState, status: known().find((one) => one !== undefined) }
}
