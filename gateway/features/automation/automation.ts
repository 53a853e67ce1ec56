import type { automation } from '../../../contract/resources/automation.ts'
import type { HandlersOf } from '../../context.ts'
import { notThere } from './not-there.ts'

export const automationHandlers: HandlersOf<typeof automation.operations> = {
  list: notThere,
  create: notThere,
  update: notThere,
  remove: notThere,
}
