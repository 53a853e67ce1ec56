import type { ConditionTrace } from '../../../../contract/procedures/runs.ts'
import { deviceType } from '../../../../contract/device-kinds/registry.ts'
import { useFieldWords } from '../../../domain/device/field-words.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { ActionFacts } from '../actions/use-action-facts.ts'

/** Of a verdict the key of its words. */
export const verdictKey = (verdict: boolean | null): 'true' | 'false' | 'unknown' =>
  verdict === null ? 'unknown' : verdict ? 'true' : 'false'

/** What a condition was about and what its device said, in words; the value is undefined for one that was not known. */
export function useConditionWords(facts: ActionFacts) {
  const t = useT()
  const words = useFieldWords()
  return ({ PeripheralUID, Field, Value }: ConditionTrace): { name: string; value: string | undefined } => {
    const device = facts.devices.get(PeripheralUID)
    const capability =
      device && deviceType(device.PeripheralType)?.capabilities.find(({ status }) => Field in status)
    const field = capability ? words.nameOf(capability, Field) : Field
    const said =
      Value === null ? undefined : ((capability && words.valueOf(capability, Field, Value)) ?? Value)
    return {
      name: t('automation:actions.fieldOf', { field, name: device?.PeripheralName ?? PeripheralUID }),
      value: said === undefined ? undefined : String(said),
    }
  }
}
