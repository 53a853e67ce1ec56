import type { Feature } from '../../deps.ts'
import { automationCallHandlers } from './automation-calls.ts'
import { automationHandlers } from './automation.ts'
import { groupHandlers } from './group.ts'
import { runCallHandlers } from './run-calls.ts'
import { sceneHandlers } from './scene.ts'

/** Groups, scenes, schedules and smart links: what acts by one press, by the clock or by what devices report. */
export function automation() {
  return {
    handlers: {
      group: groupHandlers,
      scene: sceneHandlers,
      automation: automationHandlers,
      automations: automationCallHandlers,
      runs: runCallHandlers,
    },
  } satisfies Feature
}
