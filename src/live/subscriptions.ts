import { useEffect } from 'react'
import { changeAccess, topics } from '../../contract/channels/table.ts'
import { SHADOW_NAMES } from '../../contract/devices/shadow-names.ts'
import type { Entity } from '../../contract/kernel/entities.ts'
import { decide, type Access, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import type { Me } from '../../contract/people/session-calls.ts'
import { cachedDevices } from '../data/homes.ts'
import { me, subjectOf } from '../data/session.ts'
import { connection } from './channel.ts'
import { resynchronize } from './hub-states.ts'

const OF_HOME = [
  topics.status,
  topics.statusChange,
  topics.controlResponse,
  topics.automationRun,
  topics.alarmOfDevice,
  topics.alarmOfRule,
  topics.otaResponse,
]
const OF_HUB = [topics.shadowGetAccepted, topics.shadowUpdateAccepted]

/**
 * Topics that a screen subscribes to (§6, §7): the user's own permission and response topics always; changes of records, statuses,
 * command responses and hub shadows if the user's rights allow them.
 *
 * homes   homes that a screen shows live: the current one, or all on an overview
 * things  their hubs
 */
export function topicsFor(person: Me, homes: readonly string[], things: readonly string[]): string[] {
  const subject = subjectOf(person)
  const may = (access: Access) => decide(access, subject, SOMEWHERE) === true
  const rootId = person.RootCognitoId
  const ownIds = { rootId, cognitoId: person.CognitoId }
  return [
    topics.userPermission.topic(ownIds),
    topics.userResponse.topic(ownIds),
    topics.userNotification.topic(ownIds),
    topics.messageGap.topic({ rootId }),
    ...(Object.keys(changeAccess) as Entity[])
      .filter((entity) => may(changeAccess[entity]))
      .map((entity) => topics.dataChange.filter({ rootId, entity })),
    ...homes.flatMap((homeId) =>
      OF_HOME.filter(({ access }) => may(access)).map((channel) => channel.topic({ rootId, homeId })),
    ),
    ...things.flatMap((thingName) =>
      OF_HUB.filter(({ access }) => may(access)).flatMap((channel) =>
        SHADOW_NAMES.map((shadowName) => channel.topic({ thingName, shadowName })),
      ),
    ),
  ]
}

/** Homes shown live, with the number of components that show them. */
const homeCounts = new Map<string, number>()
export const liveHomes = (): string[] => [...homeCounts.keys()]

/** Further topics of components, if the user may subscribe to them. */
type TopicSource = (person: Me) => readonly string[]
const sources = new Set<TopicSource>()

/** Subscribes to the topics that the user may see of the homes being shown; does nothing before the channel starts. */
export async function refreshTopics(): Promise<boolean> {
  const person = me.get()
  if (connection.state.get() === 'idle' || !person) return false
  const homes = liveHomes()
  const things = homes.flatMap(
    (homeId) => cachedDevices(homeId)?.Things.map((thing) => thing.ThingName) ?? [],
  )
  const sourceTopics = [...sources].flatMap((source) => source(person))
  return connection.want([...topicsFor(person, homes, things), ...sourceTopics])
}

/** Subscribes to further topics until the returned function is called. */
export function addTopics(source: TopicSource): () => void {
  sources.add(source)
  void refreshTopics()
  return () => {
    sources.delete(source)
    void refreshTopics()
  }
}

/** Keeps homes live until the returned function is called. */
function watchHomes(homeIds: readonly string[]): () => void {
  const added = homeIds.filter((homeId) => !homeCounts.has(homeId))
  for (const homeId of homeIds) homeCounts.set(homeId, (homeCounts.get(homeId) ?? 0) + 1)
  if (added.length > 0) void refreshTopics().then((subscribed) => subscribed && resynchronize(added))
  return () => {
    for (const homeId of homeIds) {
      const count = (homeCounts.get(homeId) ?? 1) - 1
      if (count > 0) homeCounts.set(homeId, count)
      else homeCounts.delete(homeId)
    }
    void refreshTopics()
  }
}

/** Keeps homes live while the component is mounted, e.g. all of them on an overview. */
export function useLiveHomes(homeIds: readonly string[]): void {
  const key = homeIds.join(' ')
  useEffect(() => (key ? watchHomes(key.split(' ')) : undefined), [key])
}

/** Removes all homes and further topics, at sign-out. */
export function resetSubscriptions(): void {
  homeCounts.clear()
  sources.clear()
}
