import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { Replan, SlowestMainMeter, SourcesOf } from '../rules/ports.ts'
import type { Runs } from '../runs/port.ts'

/** Dependencies of automations: the engine, runs and meters. */
export interface AutomationPorts {
  replan: Replan
  runs: Pick<Runs, 'plan' | 'refuse'>
  readSlowestMainMeter: SlowestMainMeter
  readSources: SourcesOf
  notify: Notify
}
