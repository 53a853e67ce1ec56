import { useMemo } from 'react'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import {
  type ActionFacts,
  useActionFacts,
  useScenes,
} from '../../../domain/automation/targets/use-action-facts.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'
import { useHomes } from '../../../data/homes.ts'
import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { useLanguage } from '../../../lib/i18n/i18n.ts'
import { useRuleNames } from './use-rule-names.ts'
import type { RuleNames } from './sentence.ts'
import { type Subjects, useSubjects } from '../../../domain/automation/words/use-subjects.ts'

/** Facts and names that rules of a home refer to. */
export interface RuleFacts {
  actions: ActionFacts
  subjects: Subjects
  names: RuleNames
  /** Actions of a scene; empty if it is unknown. */
  sceneActions(id: string): readonly EditedAction[]
  /** All devices by name, without Han modules. */
  devices: readonly Peripheral[]
  /** Whether the home has a position, which its sunrise and sunset need. */
  hasPlace: boolean
}

export function useRuleFacts(HomeID: string): RuleFacts {
  const language = useLanguage()
  const home = useHomes()?.find((one) => one.HomeID === HomeID)
  const actions = useActionFacts(HomeID, true)
  const subjects = useSubjects(actions)
  const names = useRuleNames(actions, subjects)
  const scenes = useScenes(HomeID).data
  const devices = useMemo(() => {
    const { compare } = new Intl.Collator(language, { numeric: true })
    return [...actions.devices.values()]
      .filter(({ PeripheralType }) => !deviceType(PeripheralType)?.hidden)
      .toSorted((a, b) => compare(a.PeripheralName, b.PeripheralName))
  }, [actions.devices, language])
  const sceneActions = (id: string) =>
    (scenes?.find(({ SceneID }) => SceneID === id)?.Actions ?? []) as readonly EditedAction[]
  return { actions, subjects, names, sceneActions, devices, hasPlace: home?.Latitude != null }
}
