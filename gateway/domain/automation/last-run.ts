import { type Sql, sql } from '../../kernel/db.ts'

/**
 * Outcome of the newest run r that meets a condition and was not skipped, as `LastRun`; null without one. A column of a query, so that a
 * list needs no further one.
 */
export const lastRunOf = (which: Sql): Sql => sql`(
  select jsonb_build_object('RunID', r.run_id, 'At', r.began_at, 'Cause', r.cause, 'State', r.state, 'Reason', r.reason,
    'Devices', d.devices, 'Confirmed', d.confirmed, 'Failed', d.failed, 'Failure', d.failure)
  from (select * from automation_runs r where ${which} and r.state <> 'skipped' order by r.began_at desc limit 1) r,
  lateral (
    select count(*) filter (where not is_left) as devices, count(*) filter (where is_confirmed) as confirmed,
      count(*) filter (where is_failed) as failed, mode() within group (order by failure) as failure
    from (
      select bool_and(s.state is not distinct from 'left') as is_left,
        bool_or(s.state = 'confirmed') and bool_and(s.state is not null and s.state in ('confirmed', 'left')) as is_confirmed,
        coalesce(bool_or(s.state not in ('confirmed', 'left')), false) as is_failed,
        mode() within group (order by s.reason) filter (where s.state not in ('confirmed', 'left')) as failure
      from (select step ->> 'uid' as uid, step -> 'end' ->> 'state' as state, step -> 'end' ->> 'reason' as reason
        from jsonb_array_elements(r.actions) step) s
      group by s.uid
    ) device
  ) d)`

/** Last time at which automation a was skipped after its last run, as `LastSkip`; null if it was not. */
export const LAST_SKIP = sql`(
  select case when r.state = 'skipped' then jsonb_build_object('At', r.began_at, 'Reason', r.reason) end
  from automation_runs r where r.tenant = a.tenant and r.automation_id = a.automation_id
  order by r.began_at desc limit 1)`
