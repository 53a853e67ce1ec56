import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import type { RoleChange } from '../../../../contract/energy/role-answers.ts'
import { useAction } from '../../../data/use-action.ts'
import type { MeterWithParent } from './virtual-places.ts'

interface SaveRolesInput {
  changes: readonly RoleChange[]
  /** Meters whose parent changes as well. */
  places?: readonly MeterWithParent[]
  /** The first day; null for always. */
  From: string | null
}

/** Sets the roles of meters from a day on, in one transaction. */
export const useSaveRoles = (HomeID: string) =>
  useAction(
    ({ changes, places = [], From }: SaveRolesInput, send) =>
      send(meterFacts.setMeterFacts, {
        HomeID,
        Facts: [
          ...changes.flatMap(({ MeterID, Role, raised }) => [
            ...(raised ? [{ MeterID, Fact: 'parent' as const, Value: null, From }] : []),
            { MeterID, Fact: 'role' as const, Value: Role, From },
          ]),
          ...places.map(({ MeterID, parent }) => ({ MeterID, Fact: 'parent' as const, Value: parent, From })),
        ],
      }),
    { shows: 'fields' },
  )
