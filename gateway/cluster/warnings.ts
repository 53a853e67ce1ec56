import { READINESS_WARNINGS, type ReadinessWarning } from '../../contract/kernel/readiness.ts'
import type { Bus } from '../kernel/bus.ts'
import type { DatabaseFacts } from '../store/database-watch.ts'
import { UNREACHABLE_AFTER_MS, type Registry } from './registry.ts'

/** Number of nodes from which NATS survives the loss of one. */
const MIN_NODES = 3

/** Redundancy that a clustered gateway lacks for the next failure; unknown facts cause no warning. */
export function readinessWarnings(
  others: ReturnType<Registry['others']>,
  nodes: NonNullable<ReturnType<Bus['network']>>['nodes'],
  database: Pick<DatabaseFacts, 'syncStandbys'> | undefined,
): ReadinessWarning[] {
  const isActive: Record<ReadinessWarning, boolean> = {
    noOtherGateway: others.every(({ age }) => age >= UNREACHABLE_AFTER_MS),
    fewBusNodes: nodes !== undefined && nodes.up < MIN_NODES,
    noSyncStandby: database?.syncStandbys === 0,
  }
  return READINESS_WARNINGS.filter((warning) => isActive[warning])
}
