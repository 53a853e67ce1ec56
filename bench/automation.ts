import { costOfReports } from './automation/reports.ts'
import { dryRun } from './automation/dry-run.ts'
import { dueAtOnce } from './automation/due-at-once.ts'
import { reaction } from './automation/reaction.ts'
import { sceneOfHundred } from './automation/scene.ts'
import { startWithRules } from './automation/start.ts'
import { ensureBuilt } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'automation'
export const bar =
  'CPU per report with rules elsewhere at most 1.03 x, with 8 on the device 1.25 x; report to command at most 2 x a click; ' +
  '5,000 schedules in one second: none lost or doubled, under 10 s late; scene of 100 at most 1.15 x the same by a screen; ' +
  'start with 5,000 rules at most 1.2 x; a dry run of 30 days at most 2 x reading its rows'

/** What automations cost, and how quick they are. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const figures: Figure[] = []
  for (const part of [costOfReports, reaction, sceneOfHundred, dueAtOnce, startWithRules, dryRun])
    figures.push(...(await part(quick)))
  return figures
}
