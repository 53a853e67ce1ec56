import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { meterFacts } from '../../../contract/meters/fact-calls.ts'
import { defaultRoleOf, type MeterRole, termOf } from '../../../contract/devices/meter-roles.ts'
import { callQuery } from '../../data/api.ts'

export interface Roles {
  roleOf: (MeterID: string) => MeterRole
  /** Configured role; undefined for a virtual meter that is in no total. */
  saidOf: (MeterID: string) => MeterRole | undefined
  /** Whether any meter ever had a role in the balance. */
  hasBalance: boolean
}

/** Roles of the meters of a home; undefined while loading. */
export function useRoles(HomeID: string): Roles | undefined {
  const facts = useQuery(callQuery(meterFacts.listMeterFact, { HomeID, Fact: 'role' })).data
  return useMemo(() => {
    if (!facts) return undefined
    const roles = facts.filter(({ Fact }) => Fact === 'role')
    // Sorted by day, so the last entry wins.
    const now = new Map(roles.map(({ MeterID, Value }) => [MeterID, Value as MeterRole]))
    return {
      roleOf: (id: string) => now.get(id) ?? defaultRoleOf(id),
      saidOf: (id: string) => now.get(id),
      hasBalance: roles.some(({ Value }) => termOf(Value as MeterRole) !== undefined),
    }
  }, [facts])
}
