import { type DatabaseLocation, openDatabaseLocation } from '../gateway/store/database-location.ts'
import { rollUpMeters, storeHistory } from './demo-backfill.ts'
import { type History, simulateHistory } from './demo-history.ts'
import type { WorkerAnswer, WorkerTask } from './demo-workers.ts'

/* Child process that simulates and stores the demo's past: one for each processor. */

const histories = new Map<string, History>()
let database: DatabaseLocation | undefined

async function run(task: WorkerTask): Promise<void> {
  if (task.kind === 'simulate') return void histories.set(task.hub, simulateHistory(task))
  database ??= await openDatabaseLocation(task.database, { shared: true })
  if (task.kind === 'rollUp') return rollUpMeters(database.db, task.meterIds)
  await storeHistory(database.db, task, histories.get(task.hub) as History)
  histories.delete(task.hub)
}

process.on('message', ({ id, task }: { id: number; task: WorkerTask }) => {
  run(task).then(
    () => process.send?.({ id } satisfies WorkerAnswer),
    (error: unknown) => process.send?.({ id, error: String(error) } satisfies WorkerAnswer),
  )
})
process.on('disconnect', () => process.exit())
