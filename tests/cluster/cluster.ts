import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDevices, makeHome, type Owner, signUpOwner } from '../../bench/support/company.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { openDb } from '../../gateway/store/db.ts'
import { ensureGatewayBuild } from '../../scripts/build-if-needed.ts'
import { freePort } from '../../scripts/free-port.ts'
import { connectHubs, type Hubs } from './hubs.ts'
import { brokenCommands, flaps, lostReadings, unseen, type Unseen, untoldOf } from './promises.ts'
import { openScreen, type Screen } from './screens.ts'
import { type Balancer, choosePorts, startBalancer, startDatabaseProxy } from './servers/balancer.ts'
import { openDisk, type OwnDisk } from './servers/disk.ts'
import { type GatewayServer, gatewayServer } from './servers/gateways.ts'
import { openNetwork, type OwnNetwork } from './servers/network.ts'
import { NATS_PROGRAM, type NatsCluster, startNatsCluster } from './servers/nats.ts'
import { DATABASE, type PostgresPair, startPostgresPair, SUPERUSER, whyNoPair } from './servers/postgres.ts'
import { endAllPrograms, isInstalled, type Program, until } from './servers/program.ts'

/** Missing requirements for a cluster on this machine, as a message; undefined if none. */
export function whatIsMissing(): string | undefined {
  const missing = [
    ...(isInstalled(NATS_PROGRAM, '--version') ? [] : ['nats-server']),
    ...(isInstalled('haproxy', '-v') ? [] : ['haproxy']),
    ...(isInstalled('psql', '--version') ? [] : ['psql']),
    ...[whyNoPair()].filter((why) => why !== undefined),
  ]
  return missing.length > 0 ? missing.join(', ') : undefined
}

/** Directory in which logs and databases of a run are kept for analysis. */
const KEPT_IN = process.env['KEEP_CLUSTER']
/** Build directory of the previous release: if set, gateways start with it, are replaced by this one, and back. */
export const RELEASE_BEFORE = process.env['RELEASE_BEFORE']
const HOST = '127.0.0.1'
const GATEWAYS = 3
const METERS = 5
const SCREENS = 3
/** Interval between two checks of the screens, in ms. */
const LOOK_EVERY = 500
const QUIET = { info: () => {}, warn: () => {}, error: () => {} }

export interface Servers {
  directory: string
  nats: NatsCluster
  postgres: PostgresPair
  gateways: readonly GatewayServer[]
  balancer: Balancer
  databaseProxy: Program
  /** Database as seen from outside, whichever server is the primary. */
  db: Db
  /** Network of each gateway; none unless requested and permitted. */
  networks: readonly OwnNetwork[]
  /** Disks of gateway 0 and of PostgreSQL's primary; none unless requested and permitted. */
  disks: readonly OwnDisk[]
  /** Drops all packets of a gateway until its network is restored. */
  cut(gateway: number, from: readonly ('database' | 'bus')[]): void
  stop(): Promise<void>
}

/** Opens a network for each gateway; none if not permitted. */
function openNetworks(): OwnNetwork[] {
  const networks = Array.from({ length: GATEWAYS }, (_, i) => openNetwork(i + 1))
  const open = networks.filter((network) => network !== undefined)
  if (open.length === GATEWAYS) return open
  for (const network of open) network.remove()
  return []
}

/** Starts three NATS nodes, a PostgreSQL pair, three gateways and a load balancer. */
export async function startServers(canBeCut: boolean): Promise<Servers> {
  if (!ensureGatewayBuild()) throw new Error('The gateway could not be built')
  const directory = mkdtempSync(join(KEPT_IN ?? tmpdir(), 'cluster-'))
  // PostgreSQL runs under an account of its own.
  chmodSync(directory, 0o755)
  const ports = await choosePorts()
  const [nats, postgres] = await Promise.all([
    startNatsCluster(join(directory, 'nats')),
    startPostgresPair(join(directory, 'postgres'), { hasDisk: canBeCut }),
  ])
  const gatewayData = (i: number) => join(directory, 'gateways', `gateway-${i}-data`)
  const disks = [canBeCut ? openDisk(gatewayData(0), 4) : undefined, postgres.disk].filter(
    (disk) => disk !== undefined,
  )
  const databasePort = await freePort()
  const databaseProxy = await startDatabaseProxy(
    join(directory, 'balancer'),
    [postgres.primary.port, postgres.standby.port],
    databasePort,
  )
  const databaseUrlAt = (machine: string) => `postgres://${SUPERUSER}@${machine}:${databasePort}/${DATABASE}`
  const gateways: GatewayServer[] = []
  const networks = canBeCut ? openNetworks() : []
  const { primary, standby } = postgres
  const bothHosts = `${HOST}:${primary.port},${HOST}:${standby.port}`
  const bothUrl = `postgres://${SUPERUSER}@${bothHosts}/${DATABASE}?target_session_attrs=read-write`
  for (let i = 0; i < GATEWAYS; i++) {
    const { machine = HOST, address = HOST, within = [] } = networks[i] ?? {}
    gateways.push(
      await gatewayServer({
        directory: join(directory, 'gateways'),
        name: `gateway-${i}`,
        dataDir: gatewayData(i),
        release: RELEASE_BEFORE,
        // A gateway in a network of its own uses the proxy, so that its database access can be cut as a whole.
        databaseUrl: networks[i] ? databaseUrlAt(machine) : bothUrl,
        busUrl: nats.urlAt(machine),
        pagesUrl: `http://${HOST}:${ports.pages}`,
        proxies: machine,
        host: address,
        within,
      }),
    )
  }
  const balancer = await startBalancer(join(directory, 'balancer'), gateways, ports)
  const db = openDb({ connectionString: databaseUrlAt(HOST), max: 2, log: QUIET })
  const servers: Servers = {
    directory,
    nats,
    postgres,
    gateways,
    balancer,
    databaseProxy,
    db,
    networks,
    disks,
    cut: (gateway, from) =>
      networks[gateway]?.cut([
        ...(from.includes('database') ? [databasePort] : []),
        ...(from.includes('bus') ? nats.ports : []),
      ]),
    async stop() {
      await db.close()
      await endAllPrograms()
      for (const one of [...networks, ...disks]) one.remove()
      if (KEPT_IN === undefined) rmSync(directory, { recursive: true, force: true })
      else console.log(`Logs: ${directory}`)
    },
  }
  try {
    await Promise.all(gateways.map(({ comeUp }) => comeUp()))
    await until('the balancer has a gateway', () =>
      fetch(`${balancer.pagesUrl}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  } catch (error) {
    await servers.stop()
    throw error
  }
  return servers
}

/** Building with active users, on servers that fail. */
export interface Cluster extends Servers {
  hubs: Hubs
  screens: readonly Screen[]
  /** Starts reading meters and clicking. */
  load(rates: { readings: number; commands: number }): void
  /** Stops both, and resolves when all commands and readings have completed. */
  settle(): Promise<void>
  /** All broken guarantees. */
  broken(): Promise<string[]>
}

/** Home with hubs of five meters and a lamp each, at gateways behind the load balancer, and screens that show it. */
export async function startCluster({
  hubs: hubCount,
  canBeCut,
}: {
  hubs: number
  /** Gives each gateway a network of its own, where permitted. */
  canBeCut: boolean
}): Promise<Cluster> {
  const servers = await startServers(canBeCut)
  const { balancer, db } = servers
  try {
    const owner = await signUpOwner(balancer.pagesUrl)
    const devices = (i: number) => [
      ...makeDevices(`meter${i}`, METERS, ['528']),
      ...makeDevices(`lamp${i}`, 1, ['516']),
    ]
    const home = await makeHome(
      { mqttUrl: balancer.hubsUrl },
      owner,
      'home',
      Array.from({ length: hubCount }, (_, i) => devices(i)),
    )
    // The announcing hubs were connected only briefly.
    await until('hubs that announced are gone', async () => {
      const rows = await db.query(sql`select from hub_connections`)
      return rows.length === 0
    })
    await db.query(sql`delete from hub_absences`)
    const hubs = connectHubs(balancer.hubsUrl, home.hubs)
    await until('all hubs are online', () => hubs.online() === hubCount)
    await until('all hubs are shown online', async () => {
      const rows = await db.query(sql`select from things where not online`)
      return rows.length === 0
    })
    await db.query(sql`delete from hub_absences`)
    return { ...servers, ...people(servers, owner, home.HomeID, hubs) }
  } catch (error) {
    await servers.stop()
    throw error
  }
}

function people(servers: Servers, owner: Owner, homeId: string, hubs: Hubs) {
  const { balancer, db } = servers
  const place = { rootId: owner.rootId, homeId }
  const screens = Array.from({ length: SCREENS }, () => openScreen(balancer.pagesUrl, owner.call, place))
  const missed: Unseen[] = []
  const lamps = [...hubs.ledger.reports.keys()]
  const on = new Map<string, boolean>()
  let clicking: NodeJS.Timeout | undefined
  const looking = setInterval(() => {
    for (const screen of screens) missed.push(...unseen(screen, hubs.ledger, Date.now()))
  }, LOOK_EVERY)
  const clicks = () => screens.flatMap((screen) => screen.clicks)

  function load({ readings, commands }: { readings: number; commands: number }): void {
    hubs.read(readings)
    clearInterval(clicking)
    clicking = setInterval(() => {
      const lamp = lamps[Math.floor(Math.random() * lamps.length)] as string
      on.set(lamp, !on.get(lamp))
      screens[Math.floor(Math.random() * screens.length)]?.click(lamp, on.get(lamp) ?? true)
    }, 1_000 / commands)
  }

  return {
    hubs,
    screens,
    load,
    async settle() {
      hubs.read(0)
      clearInterval(clicking)
      await until('all readings are acknowledged', () => hubs.waiting() === 0)
      await until('all commands have ended', async () => {
        const rows = await db.query(sql`select from commands where settled_at is null`)
        return rows.length === 0
      })
      await until('all screens are current', () => screens.every((screen) => screen.currentSince()))
      await sleep(2 * LOOK_EVERY)
    },
    async broken() {
      return [
        ...(await lostReadings(db, hubs.ledger)),
        ...(await brokenCommands(db, clicks(), hubs.ledger)),
        ...(await flaps(db, hubs.ledger)),
        ...untoldOf(missed),
      ]
    },
    async stop() {
      clearInterval(clicking)
      clearInterval(looking)
      for (const screen of screens) screen.stop()
      await hubs.stop()
      await servers.stop()
    },
  }
}
