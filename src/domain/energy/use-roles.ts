import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { defaultRoleOf, type MeterRole, termOf } from '../../../contract/devices/meter-roles.ts'
import { callQuery } from '../../data/api.ts'

/** The roles of a home's meters as they are now. */
export interface Roles {
  roleOf: (MeterID: string) => MeterRole
  /** What somebody said; undefined of a virtual meter that is in no total. */
  saidOf: (MeterID: string) => MeterRole | undefined
  /** Whether a meter of it ever had a part in a balance. */
  hasBalance: boolean
}

/** The roles of the meters of a home; undefined until they are known. */
export function useRoles(HomeID: string): Roles | undefined {
  const facts = useQuery(callQuery(meterFacts.listMeterFact, { HomeID, Fact: 'role' })).data
  return useMemo(() => {
    if (!facts) return undefined
    const roles = facts.filter(({ Fact }) => Fact === 'role')
    // In the order of their days: the last one holds.
    const now = new Map(roles.map(({ MeterID, Value }) => [MeterID, Value as MeterRole]))
    return {
      roleOf: (id: string) => now.get(id) ?? defaultRoleOf(id),
      saidOf: (id: string) => now.get(id),
      hasBalance: roles.some(({ Value }) => termOf(Value as MeterRole) !== undefined),
    }
  }, [facts])
}
