import { may } from '../../../../contract/kernel/permissions.ts'
import type { automations, RuleWarning } from '../../../../contract/automation/calls.ts'
import { FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { nextRuns } from '../logic/schedule-clock.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { sunOf } from '../../../lib/sun.ts'
import { sql } from '../../../kernel/db.ts'
import { catchUpOf } from '../rules/catching.ts'
import { findMissingTargets } from '../rules/missing-targets.ts'
import { ruleOf, type RuleOfAutomation } from '../rules/stored-rule.ts'
import { homeKeyOf, readPlaces } from '../engine/places.ts'
import type { AutomationPorts } from '../records/ports.ts'
import { readOtherRules } from '../rules/other-rules.ts'
import { findHome } from '../../../domain/homes/find-home.ts'
import { checkRuleFindings } from './find-findings.ts'
import { readSubjects, blockerOf } from './condition-findings.ts'

/** Number of a schedule's next runs that an editor shows. */
const SHOWN = 5

/** Findings on a rule before it is saved. Automations that the caller may not read appear without their names. */
export const checkAutomation =
  ({
    slowestMainMeter,
    sourcesOf,
  }: Pick<AutomationPorts, 'slowestMainMeter' | 'sourcesOf'>): Handler<typeof automations.checkAutomation> =>
  async ({ AutomationID, ...input }, { db, actor, clock }) => {
    const now = clock.now()
    const home = { tenant: actor.tenant, homeId: input.HomeID }
    const [found] = await db.query<{ isPlaced: boolean }>(sql`
    select latitude is not null and longitude is not null as "isPlaced" from homes
    where tenant = ${home.tenant} and home_id = ${home.homeId}`)
    const place = (await readPlaces(db, [home], sunOf)).get(homeKeyOf(home))
    if (!found || !place) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
    const rule = ruleOf({ ...input, Catching: await catchUpOf(db, home, input) })
    const gone = await findMissingTargets(db, home, rule)
    const findings = checkRuleFindings({
      rule,
      others: await readOtherRules(db, home, { id: AutomationID, rule }),
      ...(await readSubjects(db, sourcesOf, home, [rule], now)),
      gone: [
        ...new Set(
          gone.map(({ Reason, Subject }) =>
            Reason === 'deviceGone' || Reason === 'fieldGone' ? Subject : null,
          ),
        ),
      ],
      place,
      isPlaced: found.isPlaced,
      ...(rule.Alarm?.Shed && {
        slowestMainMeter: await slowestMainMeter(db, home, now),
        hasContract: (await sourcesOf(home, HOME_SUBJECT, now)).capacity !== null,
      }),
      now,
    })
    return {
      Findings: findings.map(
        ({ Kind, PeripheralUID = null, At = null, other, Wins, Blocks }): RuleWarning => ({
          Kind,
          PeripheralUID,
          Other: other && may(actor, FEATURE_OF_TYPE[other.AutomationType], 'Read') ? other : null,
          At,
          ...(Wins && { Wins }),
          ...(Blocks && { Blocks }),
        }),
      ),
      NextRuns: rule.Schedule ? nextRuns(rule.Schedule, now, SHOWN, place) : [],
    }
  }

/** Enabled and ready rules of a home whose conditions can never become true, with the first reason of each. */
export const listBlocked =
  ({ sourcesOf }: Pick<AutomationPorts, 'sourcesOf'>): Handler<typeof automations.listBlockedAutomation> =>
  async ({ HomeID, AutomationType }, { db, actor, clock }) => {
    await findHome(db, actor.tenant, HomeID)
    const rows = await db.query<{ id: string; rule: RuleOfAutomation }>(sql`
      select automation_id as id, rule from automations
      where tenant = ${actor.tenant} and home_id = ${HomeID} and automation_type = ${AutomationType}::int and enabled
        and problem is null and rule ? 'Conditions'
      order by lower(automation_name), automation_id`)
    const rules = rows.map(({ rule }) => rule)
    const facts = await readSubjects(
      db,
      sourcesOf,
      { tenant: actor.tenant, homeId: HomeID },
      rules,
      clock.now(),
    )
    return rows.flatMap(({ id, rule }) => {
      const blocker = blockerOf(rule, facts)
      return blocker ? [{ AutomationID: id, Kind: blocker.Kind, PeripheralUID: blocker.PeripheralUID }] : []
    })
  }
