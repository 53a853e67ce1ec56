import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { callQuery } from '../../data/api.ts'
import type { NamedMeter } from './use-names.ts'
import type { Roles } from './use-roles.ts'

type Meters = ReadonlyMap<string, NamedMeter>

/**
 * Current hierarchy of a home's meters: by the configured parent, otherwise by the parent of the device. It includes virtual meters with a
 * role, which may be parents; devices cannot name those.
 *
 * virtual, roles  undefined while loading; the tree then follows the devices
 */
export function useMeterTree(
  homeId: string,
  meters: Meters,
  virtual: Meters | undefined,
  roles: Roles | undefined,
): Meters {
  const facts = useQuery(callQuery(meterFacts.listMeterFact, { HomeID: homeId, Fact: 'parent' })).data
  return useMemo(() => {
    // Sorted by day, so the last entry wins.
    const parents = new Map(
      (facts ?? [])
        .filter(({ Fact }) => Fact === 'parent')
        .map(({ MeterID, Value }) => [MeterID, Value as string | null]),
    )
    const countedMeters = [...(virtual?.values() ?? [])].filter(
      ({ PeripheralUID }) => roles?.saidOf(PeripheralUID) !== undefined,
    )
    return new Map(
      [...meters.values(), ...countedMeters].map((meter) => {
        const parent = parents.get(meter.PeripheralUID)
        return [meter.PeripheralUID, parent === undefined ? meter : { ...meter, ParentMeter: parent }]
      }),
    )
  }, [meters, virtual, roles, facts])
}
