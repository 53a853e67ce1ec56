import { randomUUID } from 'node:crypto'
import { GatewayError } from '../errors.ts'
import type { Clock, Log, Random } from '../outsides.ts'
import { CONTROL, createCommands, rightsOfHub, rightsOfScreen } from './dynamic-security.ts'
import { createIntake, type Lane } from './intake.ts'
import { createLink, type Link } from './link.ts'
import type { Broker, BrokerHooks, Client, TopicMatch } from './port.ts'
import { createRefusals, type BrokerMetrics } from './refusals.ts'
import { families, matchTopic } from './topics.ts'

export interface ExternalBrokerOptions {
  /** mqtt(s)://user:password@host:port of an account that may do everything, dynamic security included. */
  url: string
  /** Where screens connect: ws(s)://… */
  screenUrl: string
  /** Of this gateway's session; the same after a restart. */
  clientId?: string
  clock: Clock
  random: Random
  log: Log
  metrics: BrokerMetrics
}

/** How long a screen's account stands; its end ends the connection. */
const LIFETIME = 12 * 3600 * 1000
const SWEEP = 10 * 60 * 1000
/** All gateways of one broker share the messages of hubs and screens. Mosquitto shares no topics that begin with `$`. */
const GROUP = '$share/gateway/'
const SCREEN = 'screen:'
/** The gateway's own role. */
const ROLE = 'gateway messages'
const EXISTS = ['Client already exists', 'Role already exists']
const GONE = ['Client not found', 'Role not found']
/** An outside broker does not say who published: its ACL has let only those through who may. */
const SOMEBODY = '00000000-0000-0000-0000-000000000000'

/**
 * An outside MQTT 5 broker, of which the gateway is a client: Mosquitto with its dynamic-security plugin
 * (docs/operating/external-broker.md). Hubs and screens have accounts there with the rights that the contract and the
 * policy give them. Hubs are online as their info shadow and last will say.
 */
export function createExternalBroker(options: ExternalBrokerOptions): Broker {
  const { clock, log, metrics, random } = options
  const refuse = createRefusals({ metrics, log, clock })
  const intake = createIntake({
    clock,
    log,
    onSlowed: () => refuse('rate'),
    limits: {
      concurrent: 2_000,
      concurrentPerClient: 500,
      held: 100_000,
      rate: { hub: 1_000, screen: 1_000, burstSeconds: 4 },
    },
  })
  const lanes = new Map<string, Lane>()
  /** Account changes of one hub go one after the other. */
  const queues = new Map<string, Promise<unknown>>()
  let link: Link | undefined
  let hooks: BrokerHooks | undefined
  let preparing = false
  let cancelSweep = () => {}

  metrics.watch(() => ({ connections: link?.ready() ? 1 : 0, held: intake.held() }))

  const commands = createCommands((topic, payload) => {
    if (!link) throw new GatewayError('UNAVAILABLE', 'The broker is not connected')
    return link.publish(topic, payload, 1, preparing)
  })

  /** Whose message this must be, as the broker's ACL lets nobody else publish here. */
  async function senderOf({ name, values }: TopicMatch, payload: Buffer): Promise<Client | undefined> {
    const { rootId, homeId = '', thingName } = values
    if (thingName !== undefined) {
      const tenant = await hooks?.tenantOf(thingName)
      return tenant === undefined ? undefined : { party: 'hub', tenant, homeId, thingName }
    }
    if (rootId === undefined) return undefined
    const { channel } = families.find((family) => family.name === name) as (typeof families)[number]
    if (channel.publishers.includes('hub'))
      return { party: 'hub', tenant: rootId, homeId, thingName: thingNameIn(payload) }
    return {
      party: 'screen',
      tenant: rootId,
      cognitoId: SOMEBODY,
      subject: { isRoot: true, permissions: [] },
    }
  }

  function take(topic: string, payload: Buffer, qos: number, acknowledge: () => void) {
    if (topic === `${CONTROL}/response`) {
      commands.take(payload)
      return acknowledge()
    }
    const match = matchTopic(topic)
    if (!match || !hooks) {
      refuse('unknown-topic', { topic: topic.slice(0, 200) })
      return acknowledge()
    }
    const { receive } = hooks
    const key = match.values.thingName ?? `${match.values.rootId}/${match.values.homeId}`
    const lane = lanes.get(key) ?? intake.lane(1_000)
    lanes.set(key, lane)
    const taken = intake.add(lane, {
      acknowledged: qos > 0,
      async run() {
        const client = await senderOf(match, payload)
        if (client) await receive({ topic, match, payload, client, retain: false })
        else refuse('thing', { topic })
      },
      done(err) {
        if (!lane.queue.length && !lane.running) lanes.delete(key)
        if (err) refuse('failed', { topic, err })
        acknowledge()
      },
    })
    if (!taken) refuse('overload', { topic })
  }

  function inOrder(key: string, work: () => Promise<void>): Promise<void> {
    const result = (queues.get(key) ?? Promise.resolve()).then(work)
    const tail = result.catch(() => {})
    queues.set(key, tail)
    void tail.then(() => queues.get(key) === tail && queues.delete(key))
    return result
  }

  async function removeAccount(username: string) {
    // Disabling ends the connections at once.
    await commands.run({ command: 'disableClient', username }, GONE)
    await commands.run({ command: 'deleteClient', username }, GONE)
    await commands.run({ command: 'deleteRole', rolename: username }, GONE)
  }

  /**
   * The account that dynamic security begins with may rule but not publish. Getting the role ends the connection, as every
   * change of rights does; the next one has it.
   */
  async function prepare() {
    preparing = true
    try {
      const username = decodeURIComponent(new URL(options.url).username)
      const { client } = await commands.run({ command: 'getClient', username })
      const { roles = [] } = client as { roles?: { rolename: string }[] }
      if (roles.some(({ rolename }) => rolename === ROLE)) return
      const acls = ['#', '$aws/#'].flatMap((topic) => [
        { acltype: 'publishClientSend', topic, allow: true },
        { acltype: 'subscribePattern', topic, allow: true },
      ])
      await commands.run({ command: 'createRole', rolename: ROLE, acls }, EXISTS)
      await commands.run({ command: 'addClientRole', username, rolename: ROLE })
    } finally {
      preparing = false
    }
  }

  const screenAccounts = async (): Promise<string[]> => {
    const data = await commands.run({ command: 'listClients', verbose: false, count: -1, offset: 0 })
    return ((data.clients ?? []) as string[]).filter((name) => name.startsWith(SCREEN))
  }

  /** Accounts of screens whose time is over, also those of a gateway that is no more. */
  async function sweep() {
    for (const username of await screenAccounts())
      if (Number(username.split(':')[2]) <= clock.now()) await removeAccount(username)
  }

  const sweepSafely = () =>
    void sweep().catch((err: unknown) => log.warn({ err }, 'Old accounts of screens stay for now'))

  function sweepLater() {
    cancelSweep = clock.after(SWEEP, () => {
      sweepSafely()
      sweepLater()
    })
  }

  async function createAccount(username: string, password: string, acls: unknown[], clientid?: string) {
    await commands.run({ command: 'deleteRole', rolename: username }, GONE)
    await commands.run({ command: 'createRole', rolename: username, acls }, EXISTS)
    const roles = [{ rolename: username, priority: 1 }]
    const account = { username, password, roles, ...(clientid !== undefined && { clientid }) }
    await commands.run({ command: 'createClient', ...account }, EXISTS)
    await commands.run({ command: 'modifyClient', ...account })
    await commands.run({ command: 'enableClient', username })
  }

  return {
    async start(given) {
      hooks = given
      const filters = families
        .filter(({ channel }) => channel.publishers.some((party) => party !== 'gateway'))
        .map(({ channel }) => channel.filter())
        .map((filter) => (filter.startsWith('$') ? filter : `${GROUP}${filter}`))
      link = createLink({
        url: options.url,
        clientId: options.clientId ?? `gateway-${randomUUID()}`,
        answers: `${CONTROL}/response`,
        prepare,
        filters,
        clock,
        log,
        onReady: () => {
          log.info({}, 'Connected to the outside broker')
          sweepSafely()
        },
        onMessage: ({ topic, payload, qos, retain }, acknowledge) => {
          if (!retain) return take(topic, payload as Buffer, qos, acknowledge)
          // What the broker kept was said long ago and would be taken anew at each connection.
          refuse('retain', { topic: topic.slice(0, 200) })
          acknowledge()
        },
      })
      await link.start()
      sweepLater()
    },

    async publish(topic, payload, { qos = 1 } = {}) {
      if (!link) throw new GatewayError('UNAVAILABLE', 'The broker is not connected')
      await link.publish(topic, Buffer.from(JSON.stringify(payload)), qos)
    },

    async disconnect(who) {
      if ('cognitoId' in who) {
        const mine = `${SCREEN}${who.cognitoId}:`
        for (const username of await screenAccounts())
          if (username.startsWith(mine)) await removeAccount(username)
        return
      }
      const { thingName: username } = who
      await inOrder(username, async () => {
        if ((await hooks?.tenantOf(username)) === undefined) return removeAccount(username)
        await commands.run({ command: 'disableClient', username }, GONE)
        await commands.run({ command: 'enableClient', username }, GONE)
      })
    },

    enrol: (hub, secret) =>
      inOrder(hub.thingName, async () => {
        await commands.run({ command: 'disableClient', username: hub.thingName }, GONE)
        await createAccount(hub.thingName, secret, rightsOfHub(hub))
      }),

    async credentials(client, clientId) {
      const expiresAt = clock.now() + LIFETIME
      const username = `${SCREEN}${client.cognitoId}:${expiresAt}:${clientId.slice(-16)}`
      const password = Buffer.from(random.bytes(32)).toString('base64url')
      const things = (await hooks?.thingsOf?.(client.tenant)) ?? []
      await createAccount(username, password, rightsOfScreen(client, things), clientId)
      return { url: options.screenUrl, username, password, expiresAt }
    },

    healthy: () => link?.ready() ?? false,

    async close() {
      cancelSweep()
      intake.close()
      commands.close()
      await link?.close()
    },
  }
}

/** The hub that a report says it is from; ingest checks that it is one of the topic's home. */
function thingNameIn(payload: Buffer): string {
  try {
    const { ThingName } = JSON.parse(payload.toString()) as { ThingName?: unknown }
    return typeof ThingName === 'string' ? ThingName : ''
  } catch {
    return ''
  }
}
