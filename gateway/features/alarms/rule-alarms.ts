import { isDeepStrictEqual } from 'node:util'
import type { AlarmReading } from '../../../contract/alarms/calls.ts'
import {
  type RuleAlarm,
  type RuleAlarms,
  type EmitAlarmTransition,
  emitAlarmEvents,
} from '../../domain/alarms/rule-alarms.ts'
import type { Deps } from '../deps.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { transitionOf, readNewest, sourceKey } from './state/alarm-rows.ts'
import { type AlarmPorts, applySignals } from './state/apply-signals.ts'
import { mergeReadings } from './state/readings.ts'
import { subjectOf } from './state/signals.ts'
import { alarmsOnSilentSources } from './state/silent-sources.ts'
import { changeSuppressed, deleteSuppressed, signalOf, suppress } from './state/suppressed.ts'

type Key = Pick<RuleAlarm, 'tenant' | 'automationId' | 'kind'>

/**
 * Alarms of automations of type 4, changed in the transaction that evaluates the rule and announced after its commit.
 * Suppresses an alarm while it depends on silent sources.
 */
export function createRuleAlarms(
  ports: AlarmPorts,
  { clock, events }: Pick<Deps, 'clock' | 'events'>,
): RuleAlarms {
  const emitAfterCommit = (tx: Db, transitions: readonly EmitAlarmTransition[]) => {
    if (transitions.length > 0) tx.afterCommit(() => emitAlarmEvents(events, transitions))
  }
  return {
    async raise(tx, alarm) {
      const now = clock.now()
      await deleteSuppressed(tx, alarm)
      const [isSourceSilent] = await alarmsOnSilentSources(tx, [alarm], now)
      if (isSourceSilent && !(await readOpenAlarm(tx, alarm))) return void (await suppress(tx, alarm))
      const transitions = await applySignals(tx, ports, [signalOf(alarm)], now)
      emitAfterCommit(tx, transitions.length > 0 ? transitions : await changeReadings(tx, alarm))
    },
    async change(tx, changed) {
      emitAfterCommit(tx, await changeReadings(tx, changed))
    },
    async clear(tx, key) {
      await deleteSuppressed(tx, key)
      const row = await readOpenAlarm(tx, key)
      if (!row) return
      emitAfterCommit(
        tx,
        await applySignals(tx, ports, [{ ...subjectOf(row), state: null, at: key.at }], clock.now()),
      )
    },
  }
}

const sourceOf = ({ tenant, automationId, kind }: Key) => ({ tenant, source: `${kind}:${automationId}` })

async function readOpenAlarm(tx: Db, key: Key) {
  const source = sourceOf(key)
  const row = (await readNewest(tx, [source], true)).get(sourceKey(source))
  return row?.clearedAt === null ? row : undefined
}

/** Stores the readings of an open alarm; returns a transition if a reading reaches a new peak, or its crossing time changes. */
async function changeReadings(
  tx: Db,
  { readings, at, ...key }: Key & { readings: readonly AlarmReading[]; at: number },
): Promise<EmitAlarmTransition[]> {
  const row = await readOpenAlarm(tx, key)
  if (!row) {
    await changeSuppressed(tx, key, readings)
    return []
  }
  const merged = mergeReadings(row.readings, readings)
  if (isDeepStrictEqual(merged, row.readings)) return []
  await tx.query(sql`update alarms set readings = ${JSON.stringify(merged)}::jsonb, reported_at = greatest(reported_at, ${at}::bigint)
    where alarm_id = ${row.alarmId}::uuid`)
  const isChanged = merged.some(({ Peak, CrossesAt }, i) => {
    const before = row.readings[i]
    return before?.Peak !== Peak || before.CrossesAt !== CrossesAt
  })
  return isChanged ? [transitionOf(row, 'changed', at)] : []
}
