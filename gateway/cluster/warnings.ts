import { READINESS_WARNINGS, type ReadinessWarning } from '../../contract/kernel/readiness.ts'
import type { Bus } from '../bus/port.ts'
import type { DatabaseFacts } from '../store/database-watch.ts'
import { UNREACHABLE_AFTER_MS, type Registry } from './registry.ts'

/** Of so many nodes NATS loses one and goes on. */
const ENOUGH_NODES = 3

/** What a gateway among several lacks to survive the next failure; nothing is said of what is not known. */
export function readinessWarnings(
  others: ReturnType<Registry['others']>,
  nodes: NonNullable<ReturnType<Bus['network']>>['nodes'],
  database: Pick<DatabaseFacts, 'syncStandbys'> | undefined,
): ReadinessWarning[] {
  const lacks: Record<ReadinessWarning, boolean> = {
    noOtherGateway: others.every(({ age }) => age >= UNREACHABLE_AFTER_MS),
    fewBusNodes: nodes !== undefined && nodes.up < ENOUGH_NODES,
    noSyncStandby: database?.syncStandbys === 0,
  }
  return READINESS_WARNINGS.filter((warning) => lacks[warning])
}
