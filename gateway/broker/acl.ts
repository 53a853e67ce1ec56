import { changeAccess } from '../../contract/channels/table.ts'
import { SHADOW_NAMES } from '../../contract/devices/shadow-names.ts'
import { decide, SOMEWHERE, type Access } from '../../contract/kernel/permissions.ts'
import { channels } from '../../contract/index.ts'
import type { Client, ConnectRefusal, ScreenClient, ThingClient, TopicMatch } from '../kernel/broker.ts'
import { familiesOf, isId, matchTopic, type Family } from './topics.ts'

export type AclDecision =
  | {
      allowed: true
      match: TopicMatch
      /** Thing name that the caller must check: allowed only if it belongs to the client's company. */
      ownThingName?: string
    }
  | { allowed: false; reason: ConnectRefusal }

const reject = (reason: ConnectRefusal): AclDecision => ({ allowed: false, reason })

/** Whether the client may publish to the topic: the contract's publishers, its own company, and the policy (§6, protocol Topics). */
export function mayPublish(client: Client, topic: string): AclDecision {
  const match = matchTopic(topic)
  if (!match) return reject('unknown-topic')
  const channel = channels[match.name]
  if (!(channel.publishers as readonly string[]).includes(client.party))
    return reject(isForeign(client, match) ? 'tenant' : 'party')
  return authorizeMatch(client, match, channel.access)
}

/**
 * Whether the client may subscribe to the filter. `+` is allowed for a home or an event if the party may see all of
 * them; `#` only in the owner's `{rootId}/datachange/#`; shared subscriptions never, because they would take messages
 * from other subscribers.
 */
export function maySubscribe(client: Client, filter: string): AclDecision {
  if (filter === '$share' || filter.startsWith('$share/')) return reject('share')
  if (client.party === 'screen' && filter === `${client.tenant}/datachange/#`)
    return client.subject.isRoot
      ? {
          allowed: true,
          match: { name: 'dataChange', values: { rootId: client.tenant, entity: '+', event: '+' } },
        }
      : reject('wildcard')
  if (filter.includes('#')) return reject('wildcard')
  const parts = filter.split('/')
  const candidates = familiesOf(parts)
  let rejection: AclDecision = reject(
    filter.includes('+') && candidates.length === 0 ? 'wildcard' : 'unknown-topic',
  )
  for (const family of candidates) {
    const decision = authorizeFilter(client, family, parts)
    if (decision.allowed) return decision
    rejection = decision
  }
  return rejection
}

function authorizeFilter(client: Client, family: Family, parts: readonly string[]): AclDecision {
  const values: Record<string, string> = {}
  for (const [i, { name }] of family.levels.entries()) {
    if (name === undefined) continue
    const part = parts[i] as string
    if (part === '+' ? !mayUseWildcard(client, name) : !isId(part))
      return reject(part === '+' ? 'wildcard' : 'unknown-topic')
    values[name] = part
  }
  const match = { name: family.name, values }
  if (!(family.channel.subscribers as readonly string[]).includes(client.party))
    return reject(isForeign(client, match) ? 'tenant' : 'party')
  return authorizeMatch(client, match, family.channel.access)
}

function mayUseWildcard(client: Client, placeholder: string): boolean {
  if (client.party !== 'screen') return false
  if (placeholder === 'entity') return client.subject.isRoot
  return placeholder === 'homeId' || placeholder === 'event'
}

function authorizeMatch(client: Client, match: TopicMatch, access: Access): AclDecision {
  if (isForeign(client, match)) return reject('tenant')
  const { shadowName } = match.values
  if (shadowName !== undefined && !SHADOW_NAMES.some((name) => name === shadowName))
    return reject('unknown-topic')
  return client.party === 'screen' ? authorizeScreen(client, match, access) : authorizeThing(client, match)
}

const isForeign = (client: Client, { values }: TopicMatch) =>
  values.rootId !== undefined && values.rootId !== client.tenant

function authorizeThing(client: ThingClient, match: TopicMatch): AclDecision {
  const { homeId, thingName } = match.values
  if (homeId !== undefined && homeId !== client.homeId) return reject('home')
  if (thingName !== undefined && thingName !== client.thingName) return reject('thing')
  return { allowed: true, match }
}

function authorizeScreen(client: ScreenClient, match: TopicMatch, access: Access): AclDecision {
  const { cognitoId, entity, thingName } = match.values
  if (cognitoId !== undefined && cognitoId !== client.cognitoId) return reject('person')
  if (entity !== undefined && entity !== '+') {
    if (!Object.hasOwn(changeAccess, entity)) return reject('unknown-topic')
    access = changeAccess[entity as keyof typeof changeAccess]
  }
  if (decide(access, client.subject, SOMEWHERE) !== true) return reject('permission')
  return thingName === undefined
    ? { allowed: true, match }
    : { allowed: true, match, ownThingName: thingName }
}
