import { controlResponse } from '../../../contract/channels/control.ts'
import {
  dataChange,
  dataChanges,
  userPermission,
  userResponse,
  type Entity,
} from '../../../contract/channels/data-change.ts'
import { otaResponse } from '../../../contract/channels/ota.ts'
import { shadowGetAccepted, shadowUpdateAccepted } from '../../../contract/channels/shadow.ts'
import { status, statusChange } from '../../../contract/channels/status.ts'
import { decide, type Access } from '../../../contract/features.ts'
import type { Me } from '../../../contract/procedures/session.ts'
import { subjectOf } from '../session.ts'

/**
 * What a screen listens to (§6, §7): its own permission and response topics always; changes of records, statuses,
 * command answers and hub shadows only as far as the person's rights go.
 *
 * homes   homes that a screen shows live: the current one, or all on an overview
 * things  their hubs
 */
export function topicsFor(person: Me, homes: readonly string[], things: readonly string[]): string[] {
  const subject = subjectOf(person)
  const may = (access: Access) => decide(access, subject) === true
  const rootId = person.RootCognitoId
  const own = { rootId, cognitoId: person.CognitoId }
  return [
    userPermission.topic(own),
    userResponse.topic(own),
    ...(Object.keys(dataChanges) as Entity[])
      .filter((entity) => may(dataChanges[entity].access))
      .map((entity) => dataChange.filter({ rootId, entity })),
    ...homes.flatMap((homeId) =>
      [status, statusChange, controlResponse, otaResponse]
        .filter((channel) => may(channel.access))
        .map((channel) => channel.topic({ rootId, homeId })),
    ),
    ...things.flatMap((thingName) =>
      [shadowGetAccepted, shadowUpdateAccepted]
        .filter((channel) => may(channel.access))
        .map((channel) => channel.topic({ thingName, shadowName: 'info' })),
    ),
  ]
}
