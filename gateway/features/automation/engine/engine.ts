import { Counter, Histogram, type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import type { RuleIndex } from './rule-index.ts'
import type { SunOf } from './places.ts'
import type { EnginePorts } from './ports.ts'

type EngineMetrics = ReturnType<typeof createEngineMetrics>

export const createEngineMetrics = (registry: Registry) => ({
  candidates: new Counter({
    name: 'automation_candidates_total',
    help: 'Automations that a report or another gateway gave reason to decide',
    registers: [registry],
  }),
  decisions: new Counter({
    name: 'automation_decisions_total',
    help: 'Automations that were decided, by what came of it: moved, same, gone',
    labelNames: ['outcome'] as const,
    registers: [registry],
  }),
  runs: new Counter({
    name: 'automation_runs_total',
    help: 'Runs that were decided, by cause and state: planned, skipped, missed, loopStopped',
    labelNames: ['cause', 'state'] as const,
    registers: [registry],
  }),
  lag: new Histogram({
    name: 'automation_due_lag_seconds',
    help: 'How long after its time a schedule or a wait was taken',
    buckets: [0.1, 0.5, 1, 2, 5, 15, 60, 900],
    registers: [registry],
  }),
})

/** Dependencies and state of the engine on one gateway. */
export interface Engine extends Pick<Deps, 'db' | 'clock' | 'log' | 'random' | 'events'> {
  ports: EnginePorts
  sunOf: SunOf
  ruleIndex: RuleIndex
  metrics: EngineMetrics
  /** Called with the time, epoch ms, at which something becomes due. */
  dueAt(at: number): void
}
