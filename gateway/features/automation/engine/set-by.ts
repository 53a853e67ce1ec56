import { setsConfirmedValues } from '../../../../contract/automation/default-catch-up.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import type { Db } from '../../../store/db.ts'
import { expandActions } from '../targets/expand-actions.ts'
import { loadTargets } from '../targets/targets.ts'
import type { EngineHomeKey } from './ports.ts'

/** What the actions of a rule set as things stand. */
export interface SetByRule {
  /** Fields of devices, as texts that are equal for equal fields. */
  fields: ReadonlySet<string>
  /** Whether any of it is asked about before it is done by hand, such as a gate. */
  asks: boolean
}

/** What some lists of actions of a home set. Scenes, groups and rooms count as what is in them now. */
export async function setBy(
  db: Db,
  home: EngineHomeKey,
  lists: readonly (readonly Action[])[],
): Promise<SetByRule[]> {
  const targets = await loadTargets(db, home, lists.flat())
  return lists.map((actions) => {
    const steps = expandActions(actions, targets)
    return {
      fields: new Set(
        steps.flatMap(({ uid, values }) => Object.keys(values).map((field) => `${uid}/${field}`)),
      ),
      asks: setsConfirmedValues(
        steps.map(({ uid, values }) => ({ type: targets.devices.get(uid)?.type, values })),
      ),
    }
  })
}
