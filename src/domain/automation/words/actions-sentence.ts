import type { EditedAction } from '../targets/target.ts'
import { listed, phrase, type Part, type Phrase } from './phrase.ts'

/** Effect of an action on its target: switches it, runs it, sets a level, or sets several values. */
export type ActionEffect = 'on' | 'off' | 'run' | { on: string } | { level: string } | { values: string }

/** Name of an action's target within a sentence, and the effect on it. */
export interface DescribedAction {
  name: string
  effect: ActionEffect
}

export interface ActionNames {
  actionOf(action: EditedAction): DescribedAction
}

/** Maximum number of groups that are named; the rest is counted. */
const MAX_NAMED = 3

/** The action, if it is the only one. */
export const onlyActionOf = (
  actions: readonly EditedAction[],
  names: ActionNames,
): DescribedAction | undefined =>
  actions.length === 1 && actions[0] ? names.actionOf(actions[0]) : undefined

/** Actions as a list; targets that are switched the same way are grouped. */
export function actionsOf(actions: readonly EditedAction[], names: ActionNames): Part {
  const groups: { effect: ActionEffect; names: string[] }[] = []
  for (const { name, effect } of actions.map((action) => names.actionOf(action))) {
    const sameEffect = groups.find((group) => typeof effect === 'string' && group.effect === effect)
    if (sameEffect) sameEffect.names.push(name)
    else groups.push({ effect, names: [name] })
  }
  if (groups.length === 0) return phrase('automation:rule.nothing')
  const named = groups.slice(0, MAX_NAMED).map((group) => doingOf(group))
  const moreCount = groups.length - named.length
  const parts =
    moreCount > 0 ? [...named, phrase('automation:rule.moreActions', { count: moreCount })] : named
  return { parts, by: 'automation:rule.actionComma', last: 'automation:rule.actionAnd' }
}

function doingOf({ effect, names }: { effect: ActionEffect; names: string[] }): Phrase {
  const named = names.slice(0, MAX_NAMED)
  const moreCount = names.length - named.length
  const name: Part =
    moreCount > 0
      ? phrase('automation:rule.andMore', {
          names: { parts: named, by: 'screens:listComma' },
          count: moreCount,
        })
      : listed(named)
  if (typeof effect === 'string') return phrase(`automation:rule.does.${effect}`, { name })
  if ('on' in effect) return phrase('automation:rule.does.onWith', { name, values: effect.on })
  if ('level' in effect) return phrase('automation:rule.does.level', { name, level: effect.level })
  return phrase('automation:rule.does.set', { name, values: effect.values })
}
