import { describe, expect, it } from 'vitest'
import { changeAccess } from '../../../contract/channels/table.ts'
import { channels, type ChannelName } from '../../../contract/index.ts'
import { decide, SOMEWHERE, type Access } from '../../../contract/kernel/permissions.ts'
import { mayPublish, maySubscribe, type AclDecision } from '../../../gateway/broker/acl.ts'
import type { Client } from '../../../gateway/kernel/broker.ts'
import { ALL, hub, OTHER, root, scanner, screen, TENANT } from './rig.ts'

const full = screen(ALL)
const CLIENTS: Record<string, Client> = {
  'the owner': root(),
  'a person with every right': full,
  'a person with none': screen([]),
  "another company's owner": root(OTHER),
  'the own hub': hub(),
  'a hub of another home': hub('hub-2', 'home-2'),
  "another company's hub": hub('hub-9', 'home-9', OTHER),
  // Names match the topic's, so only the party, home or company can forbid the access.
  'the own scanner': scanner('hub-1'),
  'another scanner of the home': scanner('scanner-2'),
  'a scanner of another home': scanner('hub-1', 'home-2'),
  "another company's scanner": scanner('hub-1', 'home-1', OTHER),
}

const values = {
  rootId: TENANT,
  homeId: 'home-1',
  thingName: 'hub-1',
  shadowName: 'info',
  cognitoId: full.cognitoId,
  entity: 'thing',
  event: 'add',
}

/** Permission according to the contract, derived independently of the ACL. */
function expected(name: ChannelName, verb: 'publishers' | 'subscribers', client: Client): boolean {
  const channel = channels[name]
  if (!(channel[verb] as readonly string[]).includes(client.party)) return false
  const isShadow = channel.template.startsWith('$aws')
  if (!isShadow && client.tenant !== TENANT) return false
  if (client.party !== 'screen') return client.thingName === 'hub-1' && client.homeId === 'home-1'
  if (channel.template.includes('{cognitoId}') && client.cognitoId !== full.cognitoId) return false
  const access: Access = name === 'dataChange' ? changeAccess.thing : channel.access
  return decide(access, client.subject, SOMEWHERE) === true
}

const meeter = screen([{ FeatureKey: 'conference_room', OperationList: ['Read'] }])
const topicOf = (name: ChannelName) => (channels[name].topic as (v: typeof values) => string)(values)
const reason = (verdict: AclDecision) => (verdict.allowed ? 'allowed' : verdict.reason)

describe.each(Object.keys(channels) as ChannelName[])('%s', (name) => {
  it.each(Object.keys(CLIENTS))('is open to %s as the contract says', (who) => {
    const client = CLIENTS[who] as Client
    const topic = topicOf(name)
    expect(mayPublish(client, topic).allowed).toBe(expected(name, 'publishers', client))
    expect(maySubscribe(client, topic).allowed).toBe(expected(name, 'subscribers', client))
  })

  it("checks the hub's company for shadows requested by screens", () => {
    const verdict = maySubscribe(root(OTHER), topicOf(name))
    const open =
      channels[name].template.startsWith('$aws') && channels[name].publishers.includes('gateway' as never)
    expect(verdict).toMatchObject(open ? { allowed: true, ownThingName: 'hub-1' } : { allowed: false })
  })
})

describe('filters', () => {
  it.each([
    [root(), `${TENANT}/datachange/#`, 'allowed'],
    [full, `${TENANT}/datachange/#`, 'wildcard'],
    [root(), `${OTHER}/datachange/#`, 'wildcard'],
    [root(), `${TENANT}/#`, 'wildcard'],
    [root(), '#', 'wildcard'],
    [root(), '+/+/status', 'wildcard'],
    [root(), `${TENANT}/+/status`, 'allowed'],
    [root(), `${TENANT}/+/+`, 'wildcard'],
    [root(), `${TENANT}/datachange/+/+`, 'allowed'],
    [full, `${TENANT}/datachange/+/+`, 'wildcard'],
    [full, `${TENANT}/datachange/room/+`, 'allowed'],
    [screen([]), `${TENANT}/datachange/company/+`, 'allowed'],
    [screen([]), `${TENANT}/datachange/home/+`, 'permission'],
    [screen([]), `${TENANT}/datachange/room/+`, 'permission'],
    [meeter, `${TENANT}/datachange/home/+`, 'allowed'],
    [meeter, `${TENANT}/datachange/room/+`, 'permission'],
    [screen([]), `${TENANT}/datachange/user/+`, 'permission'],
    [full, `${TENANT}/datachange/nonsense/+`, 'unknown-topic'],
    [full, `${TENANT}/datachange/__proto__/+`, 'unknown-topic'],
    [full, `${TENANT}/user/+/permission`, 'wildcard'],
    [full, `${TENANT}/user/${TENANT}/permission`, 'person'],
    [full, `$share/g/${TENANT}/home-1/status`, 'share'],
    [root(), '$SYS/#', 'wildcard'],
    [full, '$aws/things/+/shadow/name/info/get/accepted', 'wildcard'],
    [hub(), `${TENANT}/+/status/request`, 'wildcard'],
    [hub(), `${TENANT}/home-1/control/command/+`, 'wildcard'],
    [hub(), `${TENANT}/home-2/control/command/hub-1`, 'home'],
    [hub(), `${TENANT}/home-1/control/command/hub-2`, 'thing'],
    [hub(), `${OTHER}/home-1/status/request`, 'tenant'],
    [hub(), '$aws/things/hub-1/shadow/name/info/update/accepted', 'allowed'],
    [hub(), '$aws/things/hub-1/shadow/name/other/update/accepted', 'unknown-topic'],
    [hub(), '', 'unknown-topic'],
  ] as [Client, string, string][])('answers %#: %s', (client, filter, answer) => {
    expect(reason(maySubscribe(client, filter))).toBe(answer)
  })

  it.each([
    [hub(), `${TENANT}/home-2/status/report`, 'home'],
    [hub(), `${OTHER}/home-1/status/report`, 'tenant'],
    [hub(), `${TENANT}/home-1/control/command/hub-1`, 'party'],
    [hub(), '$aws/things/hub-2/shadow/name/info/update', 'thing'],
    [screen([]), `${TENANT}/home-1/control/request`, 'permission'],
    [full, `${TENANT}/home-1/status/report`, 'party'],
    [full, `${TENANT}/home+1/control/request`, 'unknown-topic'],
    [full, `${TENANT}//control/request`, 'unknown-topic'],
    [full, '$SYS/broker', 'unknown-topic'],
  ] as [Client, string, string][])('rejects a publish %#: %s', (client, topic, answer) => {
    expect(reason(mayPublish(client, topic))).toBe(answer)
  })
})
