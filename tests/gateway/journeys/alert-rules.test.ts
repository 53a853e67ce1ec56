import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectDefaultMetrics, type MetricObject, Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createNetwork } from '../../../gateway/bus/in-process.ts'
import { createCertificateMetrics } from '../../../gateway/lib/settings/certificates.ts'
import { startWorld, type World } from '../../support/world.ts'

const ROOT = join(import.meta.dirname, '../../..')
const RULES = join(ROOT, 'deploy/prometheus/rules.yml')
const BOARDS = join(ROOT, 'deploy/grafana')
const read = (path: string) => readFileSync(path, 'utf8')
const alerts = [...read(RULES).matchAll(/- alert: (\w+)\n +expr: (.+)/g)].map(([, name = '', expr = '']) => ({
  name,
  expr,
}))

const installed = spawnSync('promtool', ['--version']).status === 0
if (!installed) console.warn('SKIPPED: the rules of Prometheus need promtool (apt install prometheus)')

/** Samples by series, one every 15 seconds, in promtool notation: `1x40` is 41 times the same, `0+2x40` increases by two. */
type Series = Record<string, string>
/** For each alert: series for which only it fires after ten minutes, and some for which it does not. */
const CASES: Record<string, { fires: Series; quiet: Series }> = {
  BusDown: {
    fires: { 'bus_up{instance="a"}': '1x30 0x10', 'bus_up{instance="b"}': '1x40' },
    // Down for less than a minute.
    quiet: { 'bus_up{instance="a"}': '1x37 0x3' },
  },
  GapsOften: {
    fires: { 'bus_gaps_total{instance="a",reason="silence"}': '0x20 1+1x20' },
    quiet: { 'bus_gaps_total{instance="a",reason="silence"}': '0x20 1x10 2x10' },
  },
  GatewayAway: {
    fires: { 'gateways{instance="a",state="live"}': '3x20 2x20' },
    // A replaced gateway is back within two minutes.
    quiet: {
      'gateways{instance="a",state="live"}': '3x20 2x6 3x14',
      'gateways{instance="b",state="live"}': '3x20 _x6 3x14',
    },
  },
  CommandsUnreachable: {
    fires: { 'control_commands_total{state="failed",reason="unreachable"}': '0x30 2+2x10' },
    quiet: {
      'control_commands_total{state="failed",reason="unreachable"}': '0x30 1x10',
      'control_commands_total{state="failed",reason="hubOffline"}': '0+5x40',
    },
  },
  OverdueNotZero: {
    fires: { commands_overdue_total: '0x30 1x10' },
    quiet: { commands_overdue_total: '7x40' },
  },
  NoSyncStandby: {
    fires: { 'database_sync_standbys{server="primary"}': '1x5 0x35', bus_up: '1x40' },
    // One gateway that runs alone; and one of several that has a standby.
    quiet: { 'database_sync_standbys{server="primary"}': '0x40' },
  },
  PoolFull: {
    fires: { 'database_pool{state="waiting"}': '0x30 3x10' },
    quiet: { 'database_pool{state="waiting"}': '0x10 5x2 0x28', 'database_pool{state="busy"}': '20x40' },
  },
  ConnectionsNearLimit: {
    fires: {
      'database_connections{server="primary"}': '85x40',
      'database_max_connections{server="primary"}': '100x40',
    },
    quiet: {
      'database_connections{server="primary"}': '79x40',
      'database_max_connections{server="primary"}': '100x40',
    },
  },
  HubsUneven: {
    fires: {
      'hub_connections{instance="a"}': '900x80',
      'hub_connections{instance="b"}': '100x80',
      'hub_connections{instance="c"}': '110x80',
    },
    quiet: { 'hub_connections{instance="a"}': '400x80', 'hub_connections{instance="b"}': '250x80' },
  },
  NatsNodeDown: {
    fires: { 'bus_nodes{state="named"}': '3x40', 'bus_nodes{state="up"}': '3x20 2x20' },
    quiet: { 'bus_nodes{state="named"}': '3x40', 'bus_nodes{state="up"}': '3x20 2x2 3x18' },
  },
  NatsSlow: {
    fires: { bus_pending_bytes: '1000x30 5000000x10' },
    quiet: { bus_pending_bytes: '1000x10 5000000x1 1000x29' },
  },
  CertificateSoon: {
    // Time begins at 0, so these end after 13 and 15 days.
    fires: { 'certificate_expires_timestamp_seconds{use="mqtt"}': '1123200x400' },
    quiet: { 'certificate_expires_timestamp_seconds{use="mqtt"}': '1296000x400' },
  },
}
/** Alerts that need longer than ten minutes. */
const LATER: Record<string, string> = { HubsUneven: '18m', CertificateSoon: '90m' }

describe('the alert rules', () => {
  it('each have documentation, and tests that they fire and do not fire', () => {
    const sections = [...read(join(ROOT, 'docs/operating/alerts.md')).matchAll(/^## (\w+)$/gm)]
    const names = alerts.map(({ name }) => name)
    expect(names).toHaveLength(12)
    expect(sections.map(([, name]) => name)).toEqual(names)
    expect(Object.keys(CASES)).toEqual(names)
    const links = [...read(RULES).matchAll(/runbook: docs\/operating\/alerts\.md#(\w+)/g)]
    expect(links.map(([, anchor]) => anchor)).toEqual(names.map((name) => name.toLowerCase()))
  })

  it.skipIf(!installed)('fire when they should, and only then', () => {
    const fired = 'count by (alertname) (ALERTS{alertstate="firing"})'
    const tests = Object.entries(CASES).flatMap(([name, { fires, quiet }]) =>
      [fires, quiet].map((series) => ({
        interval: '15s',
        name: `${name} ${series === fires ? 'fires' : 'is quiet'}`,
        input_series: Object.entries(series).map(([one, values]) => ({ series: one, values })),
        promql_expr_test: [
          {
            expr: fired,
            eval_time: LATER[name] ?? '10m',
            exp_samples: series === fires ? [{ labels: `{alertname="${name}"}`, value: 1 }] : [],
          },
        ],
      })),
    )
    const dir = mkdtempSync(join(tmpdir(), 'rules-'))
    const file = join(dir, 'tests.yml')
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '15s', tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    rmSync(dir, { recursive: true })
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('12 rules')
  })
})

describe('alert rules and dashboards', () => {
  let world: World
  let metrics: Map<string, MetricObject & { labelNames?: string[] }>
  beforeAll(async () => {
    world = await startWorld({ network: createNetwork(), broker: 'embedded' })
    const { registry } = world.gateway
    // Metrics added by a gateway with files and a process of its own.
    createCertificateMetrics(registry, {})
    const own = new Registry()
    collectDefaultMetrics({ register: own })
    metrics = new Map(
      [registry, own].flatMap((one) => one.getMetricsAsArray().map((metric) => [metric.name, metric])),
    )
  })
  afterAll(() => world.close())

  /** Metrics and labels in an expression that no gateway exports. */
  function unknownIn(expr: string): string[] {
    const functions =
      /\b(by|on|and|ignoring|sum|max|min|avg|count|rate|increase|histogram_quantile|max_over_time|time|label_values)\b/
    const unknown: string[] = []
    // Labels named by a clause belong to the metrics next to it.
    const text = expr.replace(/\b(by|on|ignoring) ?\([^)]*\)/g, ' ')
    for (const [, name = '', , labels = ''] of text.matchAll(/\b([a-z][a-z0-9_]*)\b(\{([^}]*)\})?/g)) {
      if (functions.test(name) || /^[smhd]$/.test(name)) continue
      const metric = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''))
      if (!metric) unknown.push(name)
      for (const [, label = ''] of labels.matchAll(/(\w+)=/g))
        if (label !== 'instance' && metric?.labelNames?.includes(label) === false)
          unknown.push(`${name}{${label}}`)
    }
    return unknown
  }

  it('query only metrics that a gateway exports', () => {
    expect(alerts.flatMap(({ expr }) => unknownIn(expr))).toEqual([])
    expect(unknownIn('sum(rate(no_such_total[5m])) > bus_up{nobody="1"}')).toEqual([
      'no_such_total',
      'bus_up{nobody}',
    ])
    for (const file of readdirSync(BOARDS)) {
      const { panels, templating } = JSON.parse(read(join(BOARDS, file))) as {
        panels: { title: string; targets: { expr: string }[] }[]
        templating: { list: { type: string; query: string }[] }
      }
      const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
      const variables = templating.list.flatMap(({ type, query }) =>
        type === 'query' ? [query.replace(', instance', '')] : [],
      )
      expect(asked.length, file).toBeGreaterThan(10)
      expect(
        [...asked, ...variables].flatMap((expr) => unknownIn(expr)),
        file,
      ).toEqual([])
    }
  })
})
