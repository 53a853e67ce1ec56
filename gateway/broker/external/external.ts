import { createHash, randomUUID } from 'node:crypto'
import type { IPublishPacket } from 'mqtt-packet'
import { GatewayError } from '../../errors.ts'
import type { Clock, Log, Random } from '../../ports.ts'
import { createBrokerAccounts } from './broker-accounts.ts'
import { CONTROL, createCommands } from './dynamic-security.ts'
import { createIntake, type Lane } from '../intake.ts'
import { emptySession } from './left-session.ts'
import { createLink, type Link } from './link.ts'
import type { Broker, BrokerHooks, Client, TopicMatch } from '../port.ts'
import { createProofs } from './proofs.ts'
import { TOLD_WITHIN } from '../limits.ts'
import { createRefusals, type BrokerMetrics } from '../refusals.ts'
import { createRetries } from './retries.ts'
import type { InstanceIds } from './instance-ids.ts'
import { families, matchTopic } from '../topics.ts'

export interface ExternalBrokerOptions {
  /** mqtt(s)://user:password@host:port of an account that may do everything, dynamic security included. */
  url: string
  /** Where screens connect: ws(s)://… */
  screenUrl: string
  /** Makes and checks what screens' commands carry; the same on every gateway. */
  proofKey: Uint8Array
  /** Of this gateway's session, where no other gateway hears the broker; the same after a restart. */
  clientId?: string
  /** Names the sessions of several gateways. */
  instanceIds?: InstanceIds
  /** The session that a gateway of this machine and port had before there were instance ids. */
  formerId?: string
  /**
   * Whether other gateways hear the same broker, and each message must go to one of them. A gateway by itself does without:
   * Mosquitto forgets shared subscriptions when it ends, and with them what hubs send before the gateway is back.
   */
  shared: boolean
  clock: Clock
  random: Random
  log: Log
  metrics: BrokerMetrics
}

/** How long a screen's account stands; its end ends the connection. */
const LIFETIME = 12 * 3600 * 1000
/** Between two looks for sessions whose gateway is gone, in ms. */
const LOOK = 30_000
/** Of a subscription whose messages several gateways share. Mosquitto shares no topics that begin with `$`. */
const GROUP = '$share/gateway/'
/** The gateway's own role. */
const ROLE = 'gateway messages'
const EXISTS = ['Role already exists']
/** Who asks for a status is all the same, and the broker's ACL has let only those through who may. */
const SOMEBODY = '00000000-0000-0000-0000-000000000000'

/**
 * An outside MQTT 5 broker, of which the gateway is a client: Mosquitto with its dynamic-security plugin
 * (docs/operating/external-broker.md). Hubs and screens have accounts there with the rights that the contract and the
 * policy give them; after each connection, and every ten minutes, those accounts are compared with the database. Hubs are
 * online as their info shadow and last will say.
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
  const retries = createRetries(intake, clock, refuse)
  const proofs = createProofs(options.proofKey)
  let link: Link | undefined
  let hooks: BrokerHooks | undefined
  let accounts: ReturnType<typeof createBrokerAccounts> | undefined
  const closing = new AbortController()
  let cancelLook = () => {}
  let looking = Promise.resolve()
  let { formerId } = options

  metrics.watch(() => ({ connections: link?.ready() ? 1 : 0, held: intake.held() }))

  const commands = createCommands((topic, payload) => {
    if (!link) throw new GatewayError('UNAVAILABLE', 'The broker is not connected')
    // Now or never: a part of a change that goes out long after it was given up would undo a later one.
    return link.publish(topic, payload, 1, true)
  })

  /** Whose message this must be, as the broker's ACL lets nobody else publish here. */
  async function senderOf({ name, values }: TopicMatch, payload: Buffer): Promise<Client | undefined> {
    const { rootId, homeId = '', thingName } = values
    const { channel } = families.find((family) => family.name === name) as (typeof families)[number]
    if (thingName !== undefined) {
      const tenant = await hooks?.tenantOf(thingName)
      const party = channel.publishers.includes('scanner') ? 'scanner' : 'hub'
      return tenant === undefined ? undefined : { party, tenant, homeId, thingName }
    }
    if (rootId === undefined) return undefined
    if (channel.publishers.includes('hub'))
      return { party: 'hub', tenant: rootId, homeId, thingName: fieldOf(payload, 'ThingName') }
    if (name === 'statusRequest')
      return {
        party: 'screen',
        tenant: rootId,
        cognitoId: SOMEBODY,
        subject: { isRoot: false, permissions: [] },
      }
    const cognitoId = proofs.read(fieldOf(payload, 'Proof'), rootId, clock.now())
    const person = cognitoId === undefined ? undefined : await hooks?.personOf?.(cognitoId)
    if (cognitoId === undefined || person?.tenant !== rootId) return undefined
    return { party: 'screen', tenant: rootId, cognitoId, subject: person.subject }
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
    retries.take({
      id: createHash('sha256').update(`${topic}\n`).update(payload).digest('base64'),
      lane,
      topic,
      qos,
      acknowledge,
      async run() {
        const client = await senderOf(match, payload)
        if (client) await receive({ topic, match, payload, client, retain: false })
        else refuse(match.values.thingName === undefined ? 'person' : 'thing', { topic })
      },
      tried() {
        if (!lane.queue.length && !lane.running && lanes.get(key) === lane) lanes.delete(key)
      },
    })
  }

  /**
   * The account that dynamic security begins with may rule but not publish. Getting the role ends the connection, as every
   * change of rights does; the next one has it.
   */
  async function prepare() {
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
  }

  function hear({ topic, payload, qos, retain }: IPublishPacket, acknowledge: () => void) {
    if (!retain) return take(topic, payload as Buffer, qos, acknowledge)
    // What the broker kept was said long ago and would be taken again at each connection.
    refuse('retain', { topic: topic.slice(0, 200) })
    acknowledge()
  }

  /** Takes over what gateways that are gone have not stored, now and then. */
  function lookForLeft(instanceIds: InstanceIds, filters: readonly string[]) {
    const { signal } = closing
    const empty = (clientId: string) =>
      emptySession({ url: options.url, clientId, filters, onMessage: hear, clock, signal })
    async function look(): Promise<void> {
      if (!link?.ready()) return
      if (formerId !== undefined && (await empty(formerId))) formerId = undefined
      await instanceIds.clear(empty)
    }
    cancelLook = clock.after(LOOK, () => {
      looking = look()
        .catch((err: unknown) => log.warn({ err }, 'What another gateway left at the outside broker waits'))
        .then(() => {
          if (!signal.aborted) lookForLeft(instanceIds, filters)
        })
    })
  }

  return {
    async start(given) {
      hooks = given
      const connected = () => link?.ready() ?? false
      const mine = createBrokerAccounts({ commands, hooks: given, connected, clock, log })
      accounts = mine
      const alone = families
        .filter(({ channel }) => channel.publishers.some((party) => party !== 'gateway'))
        .map(({ channel }) => channel.filter())
      const shared = alone.map((filter) => (filter.startsWith('$') ? filter : `${GROUP}${filter}`))
      const filters = options.shared ? shared : alone
      const { instanceIds } = options
      const clientId = (await instanceIds?.take((name) => link?.rename(name))) ?? options.clientId
      const answers = `${CONTROL}/response`
      if (instanceIds) lookForLeft(instanceIds, [answers, ...new Set([...alone, ...shared])])
      link = createLink({
        url: options.url,
        clientId: clientId ?? `gateway-${randomUUID()}`,
        answers,
        prepare,
        filters,
        // A session that outlived a change of the configuration would hear everything twice.
        dropped: (options.shared ? alone : shared).filter((filter) => !filters.includes(filter)),
        clock,
        log,
        onReady: () => {
          log.info({}, 'Connected to the outside broker')
          mine.compareSoon()
        },
        onMessage: hear,
      })
      await link.start()
    },

    keepsAccounts: true,
    passesOn: true,

    async publish(topic, payload, { qos = 1 } = {}) {
      if (!link) throw new GatewayError('UNAVAILABLE', 'The broker is not connected')
      await link.publish(topic, Buffer.from(JSON.stringify(payload)), qos)
    },

    async disconnect(who) {
      if ('thingName' in who) return accounts?.endHub(who.thingName)
      if (who.sessions === undefined) return accounts?.endPerson(who)
      // Nothing reaches an account that is gone, not even why it is: a person hears that first.
      clock.after(TOLD_WITHIN, () => {
        accounts?.endPerson(who).catch((err: unknown) => log.warn({ err }, 'A person was not disconnected'))
      })
    },

    async enrol(hub, secret) {
      await accounts?.enrol(hub, secret)
    },

    async credentials(client, clientId) {
      if (!accounts) throw new GatewayError('UNAVAILABLE', 'The broker is not connected')
      const expiresAt = clock.now() + LIFETIME
      const password = Buffer.from(random.bytes(32)).toString('base64url')
      const username = await accounts.addScreen(client, clientId, password, expiresAt)
      const proof = proofs.make(client.tenant, client.cognitoId, expiresAt)
      return { url: options.screenUrl, username, password, expiresAt, proof }
    },

    healthy: () => link?.ready() ?? false,

    async close() {
      accounts?.close()
      closing.abort()
      cancelLook()
      retries.close()
      intake.close()
      commands.close()
      await looking
      await link?.close()
      // Last, so that nobody takes the name while it is in use.
      await options.instanceIds?.close()
    },
  }
}

/** A text of a message: the hub that a report says it is from (ingest checks that it is one of the topic's home), or a proof. */
function fieldOf(payload: Buffer, field: 'ThingName' | 'Proof'): string {
  try {
    const value = (JSON.parse(payload.toString()) as Record<string, unknown>)[field]
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}
