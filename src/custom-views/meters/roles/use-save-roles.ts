import { meterFacts } from '../../../../contract/procedures/meter-facts.ts'
import type { RoleChange } from '../../../../contract/rules/meter/role-answers.ts'
import { useAction } from '../../../data/use-action.ts'

/** Says the roles of meters from a day on: first those that stand above others, so that none is refused on the way. */
export const useSaveRoles = (HomeID: string) =>
  useAction(
    async ({ changes, From }: { changes: readonly RoleChange[]; From: string | null }, send) => {
      for (const { MeterID, raised } of changes)
        if (raised)
          await send(meterFacts.setMeterFact, { HomeID, MeterID, Fact: 'parent', Value: null, From })
      for (const { MeterID, Role } of changes)
        await send(meterFacts.setMeterFact, { HomeID, MeterID, Fact: 'role', Value: Role, From })
      return true
    },
    { shows: 'fields' },
  )
