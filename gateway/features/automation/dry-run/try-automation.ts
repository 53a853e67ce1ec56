import { may } from '../../../../contract/kernel/permissions.ts'
import type { automations } from '../../../../contract/automation/calls.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import { sunOf } from '../../../lib/sun.ts'
import { ruleProblems } from '../../../../contract/automation/rule-problems.ts'
import { readRuleSubjects } from '../rules/missing-targets.ts'
import { homeKeyOf, readPlaces } from '../engine/places.ts'
import type { Db } from '../../../kernel/db.ts'
import { assertRight } from '../targets/assert-right.ts'
import type { TryPorts } from './ports.ts'
import { energyOfRuns } from './run-energy.ts'
import { type DryRunInput, dryRunRule } from './try-rule.ts'

const DAY = 86_400_000
/** Maximum number of queued dry runs per company. */
const MAX_WAITING = 4

/** Dry run of a rule; one at a time per company. Errors: LIMIT_EXCEEDED if too many are queued, or it takes too long. */
export function tryAutomation(ports: TryPorts): Handler<typeof automations.tryAutomation> {
  const inOrder = createSerialQueue()
  const waitingByTenant = new Map<string, number>()
  return async (input, { db, actor, clock }) => {
    const { tenant } = actor
    assertRight(actor, 'device', 'Read')
    await findHome(db, tenant, input.HomeID)
    await refuseWrong(db, tenant, input)
    const waiting = waitingByTenant.get(tenant) ?? 0
    if (waiting > MAX_WAITING)
      throw new GatewayError('LIMIT_EXCEEDED', 'Others of this company are trying rules: try again soon')
    waitingByTenant.set(tenant, waiting + 1)
    try {
      return await inOrder(tenant, async () => {
        const now = clock.now()
        const home = { tenant, homeId: input.HomeID }
        const place = (await readPlaces(db, [home], sunOf)).get(homeKeyOf(home))
        if (!place) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
        const tried = await dryRunRule(input, {
          db,
          ports,
          tenant,
          place,
          now,
          time: () => performance.now(),
        })
        const range = { ports, tenant, zone: place.zone, from: now - input.Days * DAY, now }
        const { kWh, Cost } = await energyOfRuns(db, input, tried.Runs, range)
        // Costs need the right to read energy data.
        return { ...tried, kWh, Cost: may(actor, 'electricity', 'Read') ? Cost : null }
      })
    } finally {
      const left = (waitingByTenant.get(tenant) ?? 1) - 1
      if (left > 0) waitingByTenant.set(tenant, left)
      else waitingByTenant.delete(tenant)
    }
  }
}

/** Rejects input that is no rule of its type. It may name deleted things, whose values are unknown. Errors: INVALID. */
async function refuseWrong(db: Db, tenant: string, input: DryRunInput): Promise<void> {
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
