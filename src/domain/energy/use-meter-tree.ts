import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { callQuery } from '../../data/api.ts'
import type { NamedMeter } from './use-names.ts'
import type { Roles } from './use-roles.ts'

type Meters = ReadonlyMap<string, NamedMeter>

/**
 * The meters of a home as they stand below each other today: where somebody said so, and else where their devices stand. Virtual
 * meters that have a role are among them; a meter may stand below one, which its device does not know.
 *
 * virtual, roles  undefined until they are known; then the tree is that of the devices
 */
export function useMeterTree(
  homeId: string,
  meters: Meters,
  virtual: Meters | undefined,
  roles: Roles | undefined,
): Meters {
  const facts = useQuery(callQuery(meterFacts.listMeterFact, { HomeID: homeId, Fact: 'parent' })).data
  return useMemo(() => {
    // In the order of their days: the last one holds.
    const parents = new Map(
      (facts ?? [])
        .filter(({ Fact }) => Fact === 'parent')
        .map(({ MeterID, Value }) => [MeterID, Value as string | null]),
    )
    const counted = [...(virtual?.values() ?? [])].filter(
      ({ PeripheralUID }) => roles?.saidOf(PeripheralUID) !== undefined,
    )
    return new Map(
      [...meters.values(), ...counted].map((meter) => {
        const parent = parents.get(meter.PeripheralUID)
        return [meter.PeripheralUID, parent === undefined ? meter : { ...meter, ParentMeter: parent }]
      }),
    )
  }, [meters, virtual, roles, facts])
}
