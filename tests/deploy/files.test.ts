import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { hasOpenssl, makeCertificates } from '../support/certificates.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
for (const program of ['haproxy', 'systemd-analyze'])
  if (!has(program)) console.warn(`SKIPPED: what is for ${program} is not read by it, which is not installed`)
/** Variables that the gateway reads, including those with `_FILE` that name a file. */
const variables = [
  ...read('gateway/config/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?!string|boolean)/gm),
].map(([, name]) => name as string)
const isVariable = (name: string) => variables.includes(name.replace(/_FILE$/, ''))

describe('the balancer', () => {
  it.skipIf(!has('haproxy') || !hasOpenssl())('takes its configuration', () => {
    const directory = mkdtempSync(join(tmpdir(), 'haproxy-'))
    const { cert, key } = makeCertificates(directory)
    const CERTIFICATE = join(directory, 'certificate.pem')
    writeFileSync(CERTIFICATE, read(cert) + read(key))
    const words = ['-c', '-V', '-f', 'deploy/haproxy/haproxy.cfg']
    const { status, stderr, stdout } = spawnSync('haproxy', words, {
      encoding: 'utf8',
      env: { ...process.env, CERTIFICATE },
    })
    rmSync(directory, { recursive: true })
    expect(status, stderr).toBe(0)
    expect(stdout).toContain('Configuration file is valid')
    // Gateway host names resolve only in production.
    const complaints = stderr.split('\n').filter((line) => /ALERT|WARNING/.test(line))
    expect(complaints.filter((line) => !line.includes('could not resolve address'))).toEqual([])
  })
})

describe('the units of systemd', () => {
  it.skipIf(!has('systemd-analyze'))('are understood', () => {
    const unit = 'deploy/systemd/building-dashboard.service'
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    const complaints = stderr.split('\n').filter((line) => line.includes('building-dashboard.service'))
    // The program and its settings are installed with the package only.
    expect(
      complaints.filter((line) => !/not executable|Failed to load environment|Unknown user/i.test(line)),
    ).toEqual([])
  })
})

describe('the scripts', () => {
  const scripts = [
    'deploy/compose/postgres-primary.sh',
    'deploy/compose/postgres.sh',
    'deploy/compose/prepare',
    ...['building-dashboard', 'postinst', 'prerm', 'postrm'].map((name) => `deploy/debian/${name}`),
    'deploy/nats/make-certificates',
  ]
  it.each(scripts)('are read by a shell: %s', (script) => {
    expect(execFileSync('sh', ['-n', script], { encoding: 'utf8' })).toBe('')
  })
})

interface Service {
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  depends_on?: Record<string, unknown>
  networks?: { inside?: { ipv4_address?: string } }
  extra_hosts?: string[]
}

describe('the composition of containers', () => {
  const folder = 'deploy/compose'
  const file = parse(read(`${folder}/compose.yaml`), { merge: true }) as {
    services: Record<string, Service>
    secrets: Record<string, { file: string }>
    volumes: object
  }
  const services = Object.entries(file.services)

  it('has two gateways, three nodes of the bus and two databases', () => {
    const names = Object.keys(file.services)
    for (const [start, count] of Object.entries({ 'gateway-': 2, 'nats-': 3, 'postgres-': 2 }))
      expect(names.filter((name) => name.startsWith(start))).toHaveLength(count)
  })

  it('names only secrets, volumes, services and files that there are, or that are prepared', () => {
    const prepared = read(`${folder}/prepare`)
    for (const [name, { secrets = [], volumes = [], depends_on = {} }] of services) {
      expect(
        secrets.filter((one) => !(one in file.secrets)),
        name,
      ).toEqual([])
      expect(
        Object.keys(depends_on).filter((one) => !(one in file.services)),
        name,
      ).toEqual([])
      const from = volumes.map((volume) => volume.split(':')[0] ?? '')
      const missing = from.filter((one) =>
        one.startsWith('.')
          ? !one.startsWith('./secrets/') && !existsSync(join(folder, one))
          : !(one in file.volumes),
      )
      expect(missing, name).toEqual([])
    }
    for (const { file: path } of Object.values(file.secrets)) {
      const name = path.split('/').at(-1) ?? ''
      expect(/^(bus-ca|gateway)\./.test(name) || prepared.includes(name.split('.')[0] ?? ''), path).toBe(true)
    }
  })

  it('has what it must be told set by its page before the first command that reads it', () => {
    const needed = [...read(`${folder}/compose.yaml`).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name ?? '')
    const [before = ''] = read(`${folder}/README.md`).split('docker compose')
    expect(needed).not.toEqual([])
    expect(needed.filter((name) => !before.includes(`${name}=`))).toEqual([])
    expect(before).toMatch(/> \.env$/m)
  })

  it('gives gateways variables that they read, and believes the balancer alone', () => {
    const balancer = file.services.balancer?.networks?.inside?.ipv4_address
    for (const [name, { environment = {}, networks }] of services.filter(([name]) =>
      name.startsWith('gateway'),
    )) {
      // A secret may be stored in a file.
      expect(
        Object.keys(environment).filter((one) => !isVariable(one) && !one.startsWith('DATABASE_PASSWORD')),
      ).toEqual([])
      expect(environment).toMatchObject({ TRUST_PROXY: balancer, HUB_PROXIES: balancer })
      expect(file.services.balancer?.extra_hosts).toContain(`${name}:${networks?.inside?.ipv4_address}`)
      const files = Object.entries(environment).filter(([one]) =>
        /_FILE$|^BUS_C|^BUS_KEY|^MQTT_TLS/.test(one),
      )
      expect(files).toHaveLength(8)
      expect(files.filter(([, path]) => !((path.split('/').at(-1) ?? '') in file.secrets))).toEqual([])
    }
  })

  it('lets the nodes of the bus differ by their names alone', () => {
    const rest = (text: string) => text.replace(/^#.*\n/, '').replace(/^server_name: .*$/m, '')
    for (const n of [1, 2, 3]) {
      const node = read(`${folder}/nats-${n}.conf`)
      expect(node).toContain(`server_name: nats-${n}\n`)
      expect(rest(node)).toBe(rest(read('deploy/nats/node.conf')))
    }
  })
})

interface Container {
  name: string
  ports: { name: string; containerPort: number }[]
  volumeMounts: { name: string }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  resources: { requests?: object; limits?: object }
  securityContext: object
  readinessProbe?: object
  livenessProbe?: object
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: {
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> }
    ports?: { targetPort: string }[]
    template?: {
      metadata: { labels: Record<string, string> }
      spec: { containers: Container[]; volumes: { name: string }[]; securityContext: object }
    }
  }
}

describe('the manifests of Kubernetes', () => {
  const VERSIONS: Readonly<Record<string, string>> = {
    ConfigMap: 'v1',
    Service: 'v1',
    Deployment: 'apps/v1',
    StatefulSet: 'apps/v1',
    Ingress: 'networking.k8s.io/v1',
    PodDisruptionBudget: 'policy/v1',
  }
  const manifests = readdirSync('deploy/kubernetes')
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(read(`deploy/kubernetes/${file}`), { version: '1.1' }))
    .map((document) => {
      if (document.errors.length) throw new AggregateError(document.errors)
      return document.toJS() as Manifest
    })
  const workloads = manifests.filter(({ spec }) => spec?.template)
  const podsOf = ({ spec }: Manifest) =>
    spec.template?.spec as NonNullable<Manifest['spec']['template']>['spec']

  it('are of kinds and versions that there are, each named once', () => {
    for (const { kind, apiVersion } of manifests) expect([kind, apiVersion]).toEqual([kind, VERSIONS[kind]])
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    expect(workloads.map(({ kind }) => kind).sort()).toEqual(['Deployment', 'StatefulSet'])
  })

  it('select pods that there are, by ports that these have', () => {
    for (const { kind, metadata, spec } of manifests) {
      const wanted = spec?.selector?.matchLabels ?? spec?.selector
      if (!wanted) continue
      const chosen = workloads.filter(({ spec: { template } }) =>
        Object.entries(wanted).every(([label, value]) => template?.metadata.labels[label] === value),
      )
      expect(chosen, `${kind} ${metadata.name}`).toHaveLength(1)
      const ports = chosen.flatMap((one) => podsOf(one).containers.flatMap((container) => container.ports))
      for (const { targetPort } of kind === 'Service' ? (spec.ports ?? []) : [])
        expect(ports.map(({ name }) => name)).toContain(targetPort)
    }
  })

  it('mount volumes that are declared, of what the page says how to make', () => {
    const page = read('deploy/kubernetes/README.md')
    for (const workload of workloads) {
      const { containers, volumes } = podsOf(workload)
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name))
      expect(new Set(mounted)).toEqual(new Set(volumes.map(({ name }) => name)))
      const needed = JSON.stringify([volumes, containers]).matchAll(
        /"(?:secretName|secretRef":\{"name|secret":\{"name)":"([^"]+)"/g,
      )
      for (const [, name] of needed) expect(page).toMatch(new RegExp(`create secret (generic|tls) ${name} `))
    }
    expect(page).toContain('create configmap nats ')
  })

  it('run as nobody special, with a reserve of memory and probes', () => {
    for (const workload of workloads) {
      expect(podsOf(workload).securityContext).toMatchObject({ runAsNonRoot: true })
      for (const container of podsOf(workload).containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources).toMatchObject({ requests: { memory: expect.any(String) } })
        expect(container).toMatchObject({
          readinessProbe: expect.anything(),
          livenessProbe: expect.anything(),
        })
      }
    }
  })

  it('give gateways variables that they read, and nodes that their statefulset makes', () => {
    const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}
    expect(Object.keys(settings).filter((name) => !isVariable(name))).toEqual([])
    expect(settings.BUS_URL).toBe('tls://nats-0.nats:4222,nats-1.nats:4222,nats-2.nats:4222')
  })
})
