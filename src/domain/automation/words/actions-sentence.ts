import type { EditedAction } from '../targets/target.ts'
import { listed, phrase, type Part, type Phrase } from './phrase.ts'

/** Effect of an action on its target: switches it, runs it, sets a level, or sets several values. */
export type ActionEffect = 'on' | 'off' | 'run' | { on: string } | { level: string } | { values: string }

/** Name of an action's target within a sentence, and the effect on it. */
export interface DescribedAction {
  name: string
  does: ActionEffect
}

export interface ActionNames {
  actionOf(action: EditedAction): DescribedAction
}

/** Maximum number of groups that are named; the rest is counted. */
const NAMED = 3

/** The action, if it is the only one. */
export const onlyActionOf = (
  actions: readonly EditedAction[],
  names: ActionNames,
): DescribedAction | undefined =>
  actions.length === 1 && actions[0] ? names.actionOf(actions[0]) : undefined

/** Actions as a list; targets that are switched the same way are grouped. */
export function actionsOf(actions: readonly EditedAction[], names: ActionNames): Part {
  const groups: { does: ActionEffect; names: string[] }[] = []
  for (const { name, does } of actions.map((action) => names.actionOf(action))) {
    const before = groups.find((group) => typeof does === 'string' && group.does === does)
    if (before) before.names.push(name)
    else groups.push({ does, names: [name] })
  }
  if (groups.length === 0) return phrase('automation:rule.nothing')
  const shown = groups.slice(0, NAMED).map((group) => doingOf(group))
  const more = groups.length - shown.length
  const parts = more > 0 ? [...shown, phrase('automation:rule.moreActions', { count: more })] : shown
  return { parts, by: 'automation:rule.actionComma', last: 'automation:rule.actionAnd' }
}

function doingOf({ does, names }: { does: ActionEffect; names: string[] }): Phrase {
  const shown = names.slice(0, NAMED)
  const more = names.length - shown.length
  const name: Part =
    more > 0
      ? phrase('automation:rule.andMore', {
          names: { parts: shown, by: 'screens:listComma' },
          count: more,
        })
      : listed(shown)
  if (typeof does === 'string') return phrase(`automation:rule.does.${does}`, { name })
  if ('on' in does) return phrase('automation:rule.does.onWith', { name, values: does.on })
  if ('level' in does) return phrase('automation:rule.does.level', { name, level: does.level })
  return phrase('automation:rule.does.set', { name, values: does.values })
}
