import type { Action } from '../../../../contract/automation/action.ts'
import {
  defaultCatchUp,
  setsConfirmedValues,
  type TypedValues,
} from '../../../../contract/automation/default-catch-up.ts'
import type { Db } from '../../../kernel/db.ts'
import { expandActions, loadTargets } from '../targets/targets.ts'
import type { RuleOfAutomation } from './stored-rule.ts'

type Home = { tenant: string; homeId: string }
type Catching = RuleOfAutomation['Catching']

/** Catch-up policy of a new rule: the configured one, otherwise the default of the contract. */
export async function catchUpOf(
  db: Db,
  home: Home,
  { Actions, Catching }: { Actions: readonly Action[]; Catching?: Catching | undefined },
): Promise<Catching> {
  return Catching ?? defaultCatchUp(await setBy(db, home, Actions))
}

/**
 * Catch-up policy after a rule's actions changed without a new policy: unchanged, unless the actions set, for the first time,
 * values that need confirmation by hand.
 */
export async function catchUpAfter(
  db: Db,
  home: Home,
  before: Pick<RuleOfAutomation, 'Actions' | 'Catching'>,
  actions: readonly Action[],
): Promise<Catching> {
  if (before.Catching === 'skip' || !setsConfirmedValues(await setBy(db, home, actions)))
    return before.Catching
  return setsConfirmedValues(await setBy(db, home, before.Actions)) ? before.Catching : 'skip'
}

async function setBy(db: Db, home: Home, actions: readonly Action[]): Promise<TypedValues[]> {
  const targets = await loadTargets(db, home, actions)
  return expandActions(actions, targets).map(({ uid, values }) => ({
    type: targets.devices.get(uid)?.type,
    values,
  }))
}
