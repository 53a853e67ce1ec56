import type { EditedAction } from '../actions/target.ts'
import { listed, phrase, type Part, type Phrase } from './phrase.ts'

/** What an action does with what it is for: switches it, runs it, sets a level, or sets several values. */
export type ActionEffect = 'on' | 'off' | 'run' | { on: string } | { level: string } | { values: string }

/** What an action is for, by the name that it has within a sentence, and what it does there. */
export interface DescribedAction {
  name: string
  does: ActionEffect
}

export interface ActionNames {
  actionOf(action: EditedAction): DescribedAction
}

/** So many of several are named; how many more there are is said. */
const NAMED = 3

/** The only action, where there is no other. */
export const onlyActionOf = (
  actions: readonly EditedAction[],
  names: ActionNames,
): DescribedAction | undefined =>
  actions.length === 1 && actions[0] ? names.actionOf(actions[0]) : undefined

/** What actions do: what is switched the same way is named together. */
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
