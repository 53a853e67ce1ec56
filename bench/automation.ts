import { costOfReports } from './automation/reports.ts'
import { dryRun } from './automation/dry-run.ts'
import { firstScreen } from './automation/first-screen.ts'
import { dueAtOnce, dueOnThree } from './automation/due-at-once.ts'
import { reaction } from './automation/reaction.ts'
import { sceneOfHundred } from './automation/scene.ts'
import { startWithRules } from './automation/start.ts'
import { ensureBuilt } from './support/gateway.ts'
import type { Measure } from './support/measurement.ts'

export const name = 'automation'
export const bar =
  'CPU per report with rules elsewhere at most 1.03 x, with 8 on the device 1.25 x; report to command at most 2 x a click; ' +
  '10,000 schedules in one minute, with one gateway and three: none lost or doubled, under 10 s late; ' +
  'scene of 100 at most 1.15 x the same by a screen; ' +
  'start with 5,000 rules at most 1.2 x; a dry run of 30 days at most 2 x reading its rows; ' +
  'no JavaScript of its engine and editors with the first signed-in screen'

/** Benchmarks of the cost and speed of automations. */
export const parts: Readonly<Record<string, Measure>> = {
  reports: built(costOfReports),
  reaction: built(reaction),
  scene: built(sceneOfHundred),
  'due-at-once': built(dueAtOnce),
  'due-on-three': built(dueOnThree),
  start: built(startWithRules),
  'dry-run': built(dryRun),
  'first-screen': firstScreen,
}

function built(measure: Measure): Measure {
  return (options) => {
    ensureBuilt()
    return measure(options)
  }
}
