import type { runs } from '../../../contract/procedures/runs.ts'
import type { HandlersOf } from '../../context.ts'
import { notThere } from './not-there.ts'

export const runCallHandlers: HandlersOf<typeof runs> = {
  runScene: notThere,
  undoScene: notThere,
  retryRun: notThere,
  captureScene: notThere,
  listAutomationRun: notThere,
  explainDevice: notThere,
  listUsedBy: notThere,
}
