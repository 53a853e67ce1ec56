import type { Deps } from '../../deps.ts'
import type { RuleIndex } from './rule-index.ts'
import type { EngineMetrics } from './metrics.ts'
import type { SunOf } from './places.ts'
import type { EnginePorts } from './ports.ts'

/** Dependencies and state of the engine on one gateway. */
export interface Engine extends Pick<Deps, 'db' | 'clock' | 'log' | 'random' | 'events'> {
  ports: EnginePorts
  sunOf: SunOf
  ruleIndex: RuleIndex
  metrics: EngineMetrics
  /** Called with the time, epoch ms, at which something becomes due. */
  dueAt(at: number): void
}
