import { setsConfirmedValues } from '../../../../contract/automation/default-catch-up.ts'
import type { Action } from '../../../../contract/automation/action.ts'
import type { Db } from '../../../kernel/db.ts'
import { expandActions } from '../targets/expand-actions.ts'
import { loadTargets } from '../targets/targets.ts'
import type { EngineHomeKey } from '../rules/ports.ts'

/** Fields that the actions of a rule set at present. */
export interface SetFields {
  /** Device fields, as strings that are equal for equal fields. */
  fields: ReadonlySet<string>
  /** Whether any action needs a confirmation when done by hand, for example opening a gate. */
  needsConfirmation: boolean
}

/** Fields that some lists of actions of a home set. Scenes, groups and rooms are expanded to their present contents. */
export async function readSetFields(
  db: Db,
  home: EngineHomeKey,
  lists: readonly (readonly Action[])[],
): Promise<SetFields[]> {
  const targets = await loadTargets(db, home, lists.flat())
  return lists.map((actions) => {
    const steps = expandActions(actions, targets)
    return {
      fields: new Set(
        steps.flatMap(({ uid, values }) => Object.keys(values).map((field) => `${uid}/${field}`)),
      ),
      needsConfirmation: setsConfirmedValues(
        steps.map(({ uid, values }) => ({ type: targets.devices.get(uid)?.type, values })),
      ),
    }
  })
}
