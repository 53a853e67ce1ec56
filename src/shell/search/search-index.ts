import type { Group } from '../../../contract/automation/group.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import type { DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import type { ConferenceRoom } from '../../../contract/bookings/conference-room.ts'
import type { Scene } from '../../../contract/automation/scene.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { SearchAction } from './actions.ts'
import { foldText } from '../../../contract/kernel/text.ts'

export type FoundKind =
  | 'page'
  | 'home'
  | 'room'
  | 'device'
  | 'group'
  | 'scene'
  | 'runScene'
  | 'meetingRoom'
  | 'person'
  | 'employee'
  | 'visitor'
  | 'action'

export interface SearchHit {
  key: string
  kind: FoundKind
  title: string
  /** Container of the item, e.g. the home of a room. */
  where: string
  to: string
  /** Runs this action instead of opening `to`. */
  action?: SearchAction
  /** Runs this scene instead of opening `to`. */
  run?: Pick<Scene, 'HomeID' | 'SceneID'>
}

export interface SearchFacts {
  /** Pages and parts of pages; `where` is the page that contains a part. */
  pages: readonly { title: string; to: string; where?: string }[]
  homes: readonly HomeWithRooms[]
  devices: DeviceSnapshot | undefined
  /** Name of the category of a device type. */
  categoryName: (type: string) => string
  meetingRooms: readonly ConferenceRoom[]
  groups: readonly Pick<Group, 'HomeID' | 'GroupID' | 'GroupName'>[]
  scenes: readonly Pick<Scene, 'HomeID' | 'SceneID' | 'SceneName'>[]
  /** Whether scenes can be run. */
  mayRun: boolean
}

/** Results that need no call, pages first. */
export function searchIndex(facts: SearchFacts): SearchHit[] {
  const { pages, homes, devices, meetingRooms, categoryName } = facts
  const homeNames = new Map(homes.map((home) => [home.HomeID, home.HomeName]))
  return [
    ...pages.map(({ title, to, where = '' }): SearchHit => ({
      key: `page ${to} ${title}`,
      kind: 'page',
      title,
      where,
      to,
    })),
    ...homes.map((home): SearchHit => ({
      key: `home ${home.HomeID}`,
      kind: 'home',
      title: home.HomeName,
      where: '',
      to: pathTo('DeviceList', { HomeID: home.HomeID }),
    })),
    ...homes.flatMap((home) =>
      home.RoomList.map((room): SearchHit => ({
        key: `room ${home.HomeID} ${room.RoomID}`,
        kind: 'room',
        title: room.RoomName,
        where: home.HomeName,
        to: pathTo('RoomDevice', { HomeID: home.HomeID, RoomID: room.RoomID }),
      })),
    ),
    ...(devices?.Peripherals ?? []).map((device): SearchHit => ({
      key: `device ${device.PeripheralUID}`,
      kind: 'device',
      title: device.PeripheralName,
      where: [homeNames.get(device.HomeID), categoryName(device.PeripheralType)].filter(Boolean).join(' · '),
      to: pathTo('DeviceInfo', { HomeID: device.HomeID, peripheralID: device.PeripheralUID }),
    })),
    ...actsIn(facts, homeNames),
    ...meetingRooms.map((room): SearchHit => ({
      key: `meetingRoom ${room.ConferenceRoomID}`,
      kind: 'meetingRoom',
      title: room.ConferenceRoomName,
      where: homeNames.get(room.HomeID ?? '') ?? '',
      to: `${pathTo('ConferenceRoomBooking')}?${new URLSearchParams({ view: 'week', room: room.ConferenceRoomID })}`,
    })),
  ]
}

/** Groups, and scenes both to run and to open. */
const actsIn = (
  { groups, scenes, mayRun }: SearchFacts,
  homeNames: ReadonlyMap<string, string>,
): SearchHit[] => [
  ...groups.map(({ HomeID, GroupID, GroupName }): SearchHit => ({
    key: `group ${GroupID}`,
    kind: 'group',
    title: GroupName,
    where: homeNames.get(HomeID) ?? '',
    to: pathTo('updateGroup', { HomeID, GroupID }),
  })),
  ...scenes.flatMap(({ HomeID, SceneID, SceneName }): SearchHit[] => {
    const hit = {
      title: SceneName,
      where: homeNames.get(HomeID) ?? '',
      to: pathTo('updateScene', { HomeID, SceneID }),
    }
    const run: SearchHit = {
      ...hit,
      key: `runScene ${SceneID}`,
      kind: 'runScene',
      run: { HomeID, SceneID },
    }
    return [...(mayRun ? [run] : []), { ...hit, key: `scene ${SceneID}`, kind: 'scene' }]
  }),
]

/**
 * Best matches: every word must occur; a title that starts with the text ranks before one that contains it, a title before `where`. At
 * most `limit`.
 */
export function search(index: readonly SearchHit[], text: string, limit = 30): SearchHit[] {
  const words = foldText(text).split(/\s+/).filter(Boolean)
  if (words.length === 0)
    return index.filter(({ kind, where }) => kind === 'page' && where === '').slice(0, limit)
  const scored: { hit: SearchHit; score: number }[] = []
  for (const hit of index) {
    const title = foldText(hit.title)
    const foldedWhere = foldText(hit.where)
    let score = 0
    for (const word of words) {
      const at = title.indexOf(word)
      if (at === 0) score += 0
      else if (at > 0) score += 1
      else if (foldedWhere.includes(word)) score += 2
      else score = Number.NaN
    }
    if (!Number.isNaN(score)) scored.push({ hit, score })
  }
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ hit }) => hit)
}
