import { meterFacts } from '../../../../contract/procedures/meter-facts.ts'
import type { RoleChange } from '../../../../contract/rules/meter/role-answers.ts'
import { useAction } from '../../../data/use-action.ts'

/** Says the roles of meters from a day on, all of them or none. */
export const useSaveRoles = (HomeID: string) =>
  useAction(
    ({ changes, From }: { changes: readonly RoleChange[]; From: string | null }, send) =>
      send(meterFacts.setMeterFacts, {
        HomeID,
        Facts: changes.flatMap(({ MeterID, Role, raised }) => [
          ...(raised ? [{ MeterID, Fact: 'parent' as const, Value: null, From }] : []),
          { MeterID, Fact: 'role' as const, Value: Role, From },
        ]),
      }),
    { shows: 'fields' },
  )
