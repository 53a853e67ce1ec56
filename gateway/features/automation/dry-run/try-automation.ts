import { may } from '../../../../contract/kernel/permissions.ts'
import type { automations } from '../../../../contract/automation/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import { sunOf } from '../../../lib/sun.ts'
import { ruleProblems } from '../../../../contract/automation/rule-problems.ts'
import { readRuleSubjects } from '../rules/check-rule.ts'
import { homeKeyOf, readPlaces } from '../engine/places.ts'
import type { Db } from '../../../kernel/db.ts'
import { assertRight } from '../targets/assert-right.ts'
import {
  expandActions,
  type DeviceStep,
  loadTargets,
  type LoadedTargets,
  type TargetDevice,
} from '../targets/targets.ts'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { setFieldsOf } from '../../../../contract/automation/action.ts'
import type { TryPorts } from './ports.ts'
import { type DryRunInput, dryRunRule, type RuleTrial } from './try-rule.ts'
import { energyWhileOn, type OnTime } from './energy-while-on.ts'

/** Maximum number of a meter's values for its mean; longer series are read as means of equal spans. */
const POINTS = 5_000

type Energy = { kWh: number | null; Cost: number | null }
const UNKNOWN: Energy = { kWh: null, Cost: null }

interface Asked {
  ports: TryPorts
  tenant: string
  zone: string
  /** Epoch ms. */
  from: number
  now: number
}

/**
 * Energy that the meters among the switched-on devices would have taken: the mean power of each while it was on, for the
 * duration of the runs.
 *
 * returns  null if nothing is switched on, none of it is a meter, a meter was never measured while on, or nothing switches off
 *          what a run switches on; Cost alone is null if a price is unknown
 */
async function energyOfRuns(
  db: Db,
  rule: DryRunInput,
  runs: RuleTrial['Runs'],
  { ports, tenant, zone, from, now }: Asked,
): Promise<Energy> {
  const home = { tenant, homeId: rule.HomeID }
  const ends = Array.isArray(rule.EndActions) ? rule.EndActions : []
  const targets = await loadTargets(db, home, [...rule.Actions, ...ends])
  const { metered } = loadsOf(expandActions(rule.Actions, targets), targets.devices)
  if (metered.length === 0 || !isEnded(rule, metered, targets)) return UNKNOWN
  const times = runs.map(({ At, EndedAt }): OnTime => ({ from: At, to: EndedAt ?? now }))
  const prices = await ports.readPricing(db, tenant, rule.HomeID)
  let total: Energy = { kWh: 0, Cost: 0 }
  for (const { uid, field } of metered) {
    const quantities = ['Power', field].map((Field) => ({ PeripheralUID: uid, Field }))
    const [power, on] = await ports.readSeries(db, home, quantities, { from, to: now, points: POINTS, now })
    const kW = power && on ? meanWhileOn(power, on) : null
    if (kW === null) return UNKNOWN
    const { kWh, Cost } = energyWhileOn(times, kW, prices, zone)
    total = {
      kWh: (total.kWh ?? 0) + kWh,
      Cost: total.Cost === null || Cost === null ? null : total.Cost + Cost,
    }
  }
  return total
}

/** Whether what a run switches on is switched off when it ends. */
function isEnded(rule: DryRunInput, metered: readonly MeteredLoad[], targets: LoadedTargets): boolean {
  if (rule.Schedule) return rule.Schedule.OffAfter > 0
  if (rule.EndDuration === 0) return false
  if (rule.EndActions === 'restore') return true
  const off = expandActions(rule.EndActions, targets)
  return metered.every(({ uid, field }) => off.some((step) => step.uid === uid && step.values[field] === 0))
}

/** A meter that actions switch on, and the field that does so. */
interface MeteredLoad {
  uid: string
  field: string
}

/** Whether actions switch anything on, and the metered loads among it. */
function loadsOf(
  steps: readonly DeviceStep[],
  devices: ReadonlyMap<string, TargetDevice>,
): { switchesOn: boolean; metered: MeteredLoad[] } {
  const on = steps.flatMap(({ uid, values }) => {
    const field = setFieldsOf({ PeripheralUID: uid, Values: values }).find(
      ({ path, value }) => /(^|\.)Switch\d*$/.test(path) && value === 1,
    )
    return field ? [{ uid, field: field.path }] : []
  })
  const metered = on.filter(({ uid }) => capabilityOf(devices.get(uid)?.type ?? '', 'meter'))
  return { switchesOn: on.length > 0, metered: [...new Map(metered.map((one) => [one.uid, one])).values()] }
}

/** Mean power of a load while it was on, kW; null if it was never measured while on. `power` in W. */
function meanWhileOn(power: HistorySeries, on: HistorySeries): number | null {
  let sum = 0
  let count = 0
  let state = -1
  for (const [i, at] of power.Timestamps.entries()) {
    while (state + 1 < on.Timestamps.length && on.Timestamps[state + 1]! <= at) state++
    if (state < 0 || on.Values[state] !== 1) continue
    sum += power.Values[i]!
    count++
  }
  return count === 0 ? null : sum / count / 1000
}

const DAY = 86_400_000
/** Maximum number of queued dry runs per company. */
const MAX_WAITING = 4

/** Dry run of a rule; one at a time per company. Errors: LIMIT_EXCEEDED if too many are queued, or it takes too long. */
export function tryAutomation(ports: TryPorts): Handler<typeof automations.tryAutomation> {
  const inOrder = createSerialQueue()
  const waitingByTenant = new Map<string, number>()
  return async (input, { db, actor, clock }) => {
    const { tenant } = actor
    assertRight(actor, 'device', 'Read', input.HomeID)
    await findHome(db, tenant, input.HomeID)
    await rejectInvalid(db, tenant, input)
    const waitingCount = waitingByTenant.get(tenant) ?? 0
    if (waitingCount > MAX_WAITING)
      throw new GatewayError('LIMIT_EXCEEDED', 'Others of this company are trying rules: try again soon')
    waitingByTenant.set(tenant, waitingCount + 1)
    try {
      return await inOrder(tenant, async () => {
        const now = clock.now()
        const home = { tenant, homeId: input.HomeID }
        const place = (await readPlaces(db, [home], sunOf)).get(homeKeyOf(home))
        if (!place) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
        const result = await dryRunRule(input, {
          db,
          ports,
          tenant,
          place,
          now,
          time: () => performance.now(),
        })
        const range = { ports, tenant, zone: place.zone, from: now - input.Days * DAY, now }
        const { kWh, Cost } = await energyOfRuns(db, input, result.Runs, range)
        // Costs need the right to read energy data.
        return { ...result, kWh, Cost: may(actor, 'electricity', 'Read', input.HomeID) ? Cost : null }
      })
    } finally {
      const remaining = (waitingByTenant.get(tenant) ?? 1) - 1
      if (remaining > 0) waitingByTenant.set(tenant, remaining)
      else waitingByTenant.delete(tenant)
    }
  }
}

/** Rejects input that is no rule of its type. It may name deleted things, whose values are unknown. Errors: INVALID. */
async function rejectInvalid(db: Db, tenant: string, input: DryRunInput): Promise<void> {
  const uids = (input.Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID)
  const subjects = await readRuleSubjects(db, { tenant, homeId: input.HomeID }, uids)
  const problems = ruleProblems(input, { subject: (uid) => subjects.get(uid) }).filter(
    ({ reason }) => reason !== 'notFound' && reason !== 'noSuchField',
  )
  if (problems.length > 0)
    throw new GatewayError(
      'INVALID',
      'The rule cannot be one of its type',
      Object.fromEntries(problems.map(({ path, reason }) => [path.join('.'), reason])),
    )
}
