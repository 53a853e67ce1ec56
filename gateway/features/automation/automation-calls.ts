import type { automations } from '../../../contract/procedures/automations.ts'
import type { HandlersOf } from '../../context.ts'
import { notThere } from './not-there.ts'

export const automationCallHandlers: HandlersOf<typeof automations> = {
  checkAutomation: notThere,
  tryAutomation: notThere,
  runAutomation: notThere,
  setAutomationEnabled: notThere,
  takeOverAutomation: notThere,
  getAutomationPause: notThere,
  pauseAutomation: notThere,
  resumeAutomation: notThere,
  replacePeripheral: notThere,
}
