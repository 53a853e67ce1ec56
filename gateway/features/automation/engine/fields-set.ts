import type { Action } from '../../../../contract/rules/automation/action.ts'
import type { Db } from '../../../store/db.ts'
import { expandActions } from '../expand-actions.ts'
import { loadTargets } from '../targets.ts'
import type { HomeKey } from './ports.ts'

/**
 * Which fields of which devices some lists of actions of a home set, as texts that are equal for equal fields. Scenes, groups and
 * rooms count as what is in them now.
 */
export async function fieldsSet(
  db: Db,
  home: HomeKey,
  lists: readonly (readonly Action[])[],
): Promise<Set<string>[]> {
  const targets = await loadTargets(db, home, lists.flat())
  return lists.map(
    (actions) =>
      new Set(
        expandActions(actions, targets).flatMap(({ uid, values }) =>
          Object.keys(values).map((field) => `${uid}/${field}`),
        ),
      ),
  )
}
