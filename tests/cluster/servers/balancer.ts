import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../scripts/free-port.ts'
import { listens, program, type Program, until } from './program.ts'
import { SUPERUSER } from './postgres.ts'

export interface GatewayPorts {
  host: string
  http: number
  hubs: number
}

export interface Balancer {
  program: Program
  /** Starts it, for the first time or again. */
  comeUp(): Promise<void>
  pagesUrl: string
  hubsUrl: string
}

/** HAProxy as described in docs/operating/several-gateways.md: pages to ready gateways, hubs to live ones, least connections first. */
export async function startBalancer(
  directory: string,
  gateways: readonly GatewayPorts[],
  { pages, hubs }: { pages: number; hubs: number },
): Promise<Balancer> {
  mkdirSync(directory, { recursive: true })
  const config = join(directory, 'haproxy.cfg')
  const servers = (line: (gateway: GatewayPorts, i: number) => string) => gateways.map(line).join('\n')
  writeFileSync(
    config,
    `global
  maxconn 5000
defaults
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout tunnel 1h
  timeout check 2s
  retries 5
  option redispatch 1
frontend pages
  mode http
  bind 127.0.0.1:${pages}
  default_backend pages
backend pages
  mode http
  balance roundrobin
  option httpchk GET /health/ready
  retry-on conn-failure
  default-server inter 300ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers(({ host, http }, i) => `  server g${i} ${host}:${http} check`)}
frontend hubs
  mode tcp
  bind 127.0.0.1:${hubs}
  default_backend hubs
backend hubs
  mode tcp
  balance leastconn
  option httpchk GET /health/live
  default-server inter 300ms fall 3 rise 1 on-marked-down shutdown-sessions send-proxy-v2
${servers(({ host, http, hubs: port }, i) => `  server g${i} ${host}:${port} check port ${http}`)}
`,
  )
  const haproxy = program(['haproxy', '-db', '-f', config], { logFile: join(directory, 'haproxy.log') })
  const comeUp = async () => {
    haproxy.start()
    await until('the balancer listens', () => listens(hubs))
  }
  await comeUp()
  return {
    program: haproxy,
    comeUp,
    pagesUrl: `http://127.0.0.1:${pages}`,
    hubsUrl: `mqtt://127.0.0.1:${hubs}`,
  }
}

/**
 * One address for two PostgreSQL servers: the second is used only while the first is unavailable. The check verifies that PostgreSQL
 * responds, because the port of a stopped server may be taken by another program.
 */
export async function startDatabaseProxy(
  directory: string,
  servers: readonly [number, number],
  port: number,
): Promise<Program> {
  const host = '127.0.0.1'
  mkdirSync(directory, { recursive: true })
  const config = join(directory, 'haproxy-database.cfg')
  writeFileSync(
    config,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen database
  bind 0.0.0.0:${port}
  option pgsql-check user ${SUPERUSER}
  default-server inter 200ms fall 2 rise 2 on-marked-down shutdown-sessions
  server primary ${host}:${servers[0]} check
  server standby ${host}:${servers[1]} check backup
`,
  )
  const proxy = program(['haproxy', '-db', '-f', config], {
    logFile: join(directory, 'haproxy-database.log'),
  })
  proxy.start()
  await until('the database proxy listens', () => listens(port, host))
  return proxy
}

export const choosePorts = async () => ({ pages: await freePort(), hubs: await freePort() })
