import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import { listens, program, type Program, until } from './program.ts'

const PROGRAM = process.env['NATS_SERVER'] ?? 'nats-server'
const NODES = 3

export interface NatsCluster {
  /** Value of BUS_URL. */
  url: string
  /** The same for a network in which this machine has another address. */
  urlAt(machine: string): string
  ports: readonly number[]
  nodes: readonly Program[]
  /** Restarts a node that has ended, and waits for it. */
  comeBack(node: number): Promise<void>
}

/** Starts a cluster as described in docs/operating/several-gateways.md, without TLS and accounts. */
export async function startNatsCluster(directory: string): Promise<NatsCluster> {
  const host = '127.0.0.1'
  mkdirSync(directory, { recursive: true })
  const ports = await Promise.all(Array.from({ length: NODES }, freePort))
  const routes = await Promise.all(Array.from({ length: NODES }, freePort))
  const nodes = ports.map((port, i) => {
    const config = join(directory, `nats-${i}.conf`)
    writeFileSync(
      config,
      `server_name: node${i}
listen: "0.0.0.0:${port}"
ping_interval: "2s"
ping_max: 2
write_deadline: "2s"
max_payload: 1MB
cluster {
  name: test
  listen: "${host}:${routes[i]}"
  routes: [${routes.map((route) => `"nats://${host}:${route}"`).join(', ')}]
}
`,
    )
    return program([PROGRAM, '-c', config], { logFile: join(directory, `nats-${i}.log`) })
  })
  const comeBack = async (node: number) => {
    nodes[node]?.start()
    await until(`NATS node ${node} listens`, () => listens(ports[node] as number, host))
  }
  await Promise.all(nodes.map((_, node) => comeBack(node)))
  const urlAt = (machine: string) => `nats://${ports.map((port) => `${machine}:${port}`).join(',')}`
  return { url: urlAt(host), urlAt, ports, nodes, comeBack }
}

export const NATS_PROGRAM = PROGRAM
