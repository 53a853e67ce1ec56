import type { Party } from '../../../contract/kernel/define-channel.ts'

/** One topic of section 7 in wire format, and whether screens publish or subscribe there. */
export interface Topic {
  says: string
  topic: string
  screens: 'publish' | 'subscribe'
}

const publish = (says: string, topic: string): Topic => ({ says, topic, screens: 'publish' })
const subscribe = (says: string, topic: string): Topic => ({ says, topic, screens: 'subscribe' })

const shadow = (name: string, verb: string) => `$aws/things/hub/shadow/name/${name}/${verb}`

/** Section 7, Realtime channel. */
export const TOPICS: readonly Topic[] = [
  publish('status requests to hub shadow topics: registration get', shadow('registration', 'get')),
  publish('status requests to hub shadow topics: info get', shadow('info', 'get')),
  publish('status request topics', 'root/home/status/request'),
  publish('control requests', 'root/home/control/request'),
  subscribe('datachange/# with subtopics', 'root/datachange/room/add'),
  subscribe('a response topic', 'root/user/person/response'),
  subscribe('status', 'root/home/status'),
  subscribe('statusChange', 'root/home/statusChange'),
  subscribe('ota responses', 'root/home/ota/response'),
  subscribe('control responses', 'root/home/control/response'),
  subscribe('device permission', 'root/user/person/permission'),
  subscribe('registration get/accepted', shadow('registration', 'get/accepted')),
  subscribe('registration update/accepted', shadow('registration', 'update/accepted')),
  subscribe('info get/accepted', shadow('info', 'get/accepted')),
  subscribe('info update/accepted', shadow('info', 'update/accepted')),
]

/** Section 7, published messages: requests contain a Timestamp. */
export const TIMESTAMPED: readonly string[] = ['root/home/status/request', shadow('info', 'get')]

export const SCREEN: Party = 'screen'

const crud = (entity: string) => ['add', 'update', 'remove'].map((event) => `${entity}/${event}`)

/** Section 7, Data-change events, as entity and event of their topic. Permissions and personal settings have topics of their own. */
export const DATA_CHANGES: readonly string[] = [
  ...crud('home'),
  'home/addRoom',
  'home/updateRoom',
  'home/removeRoom',
  ...crud('room'),
  ...crud('peripheral'),
  ...crud('thing'),
  ...crud('group'),
  ...crud('scene'),
  ...crud('automation'),
  ...crud('user'),
  ...crud('department'),
  'conferenceRoom/add',
  'conferenceRoom/update',
  'conferenceRoom/addBooking',
  'conferenceRoom/removeBooking',
  'company/update',
]

/** Entities of data-change events that are not built. */
export const DEFERRED_ENTITIES: readonly string[] = []
