import type { SkipReason } from '../../../../contract/procedures/runs.ts'
import type { AutomationProblem } from '../../../../contract/resources/automation.ts'
import { STATE_OF_PROBLEM } from '../automation/store.ts'
import type { RuleRow } from './compile.ts'
import type { PlannedRun } from '../runs/port.ts'

/** Whether a rule is switched on: its times are kept, whether or not it may act when they come. */
export const isFollowed = ({ isReady, heldBy }: Pick<RuleRow, 'isReady' | 'heldBy'>): boolean =>
  isReady || heldBy !== null

const REASONS = { broken: 'broken', suspended: 'noRight', paused: 'resting' } as const satisfies Record<
  (typeof STATE_OF_PROBLEM)[AutomationProblem['Reason']],
  SkipReason
>

/** How a run of a rule that something is wrong with is noted instead; undefined of one that may act. */
export const heldRun = ({ heldBy }: Pick<RuleRow, 'heldBy'>): PlannedRun['notRun'] | undefined =>
  heldBy === null ? undefined : { state: 'skipped', reason: REASONS[STATE_OF_PROBLEM[heldBy]] }
