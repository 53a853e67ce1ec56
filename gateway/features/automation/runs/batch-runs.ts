import { createRequestCoalescer } from '../../../store/coalesce-requests.ts'
import type { Db } from '../../../kernel/db.ts'
import { loadDevices, type TargetDevice } from '../targets/targets.ts'
import type { CommandsOfRun } from './step.ts'
import { commandsOf, type RunLease, type RunChange, saveRuns } from './store.ts'

export type BatchedRuns = ReturnType<typeof createRunBatch>

/** Database access of runs, in which concurrent requests share one statement. */
export const createRunBatch = (db: Db) => ({
  /** Changes a run that this gateway leases; see `saveRuns`. */
  save: createRequestCoalescer<RunChange, RunLease | undefined>({
    run: (changes) => saveRuns(db, changes),
    groupOf: ({ hold }) => hold.tenant,
    keyOf: ({ hold }) => hold.runId,
  }),

  /** States of the commands of a run, by RequestID. */
  commandsOf: createRequestCoalescer<{ tenant: string; runId: string }, CommandsOfRun>({
    async run(asked) {
      const all = await commandsOf(
        db,
        asked[0]?.tenant ?? '',
        asked.map(({ runId }) => runId),
      )
      return asked.map(({ runId }) => all.get(runId) ?? new Map())
    },
    groupOf: ({ tenant }) => tenant,
  }),

  /** Devices of a home as stored now, by UID. */
  devices: createRequestCoalescer<
    { tenant: string; homeId: string; uids: readonly string[] },
    ReadonlyMap<string, TargetDevice>
  >({
    async run(asked) {
      const { tenant = '', homeId = '' } = asked[0] ?? {}
      const uids = [...new Set(asked.flatMap((each) => each.uids))]
      const devices = await loadDevices(db, { tenant, homeId }, { uids })
      const byId = new Map(devices.map((device) => [device.uid, device]))
      return asked.map(() => byId)
    },
    groupOf: ({ tenant, homeId }) => `${tenant}/${homeId}`,
  }),
})
