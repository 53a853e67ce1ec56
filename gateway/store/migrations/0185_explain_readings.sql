-- Readings that do not count and need no decision: `dip`, a counter that read 0 and returns to what it showed, or has not been seen
-- to count again yet, and `clock`, a meter's first readings by a clock that was not set. Their decision is `dropped`, by nobody, so
-- that they are not among those that wait; gateways judge them again as readings come.
alter table quarantined_readings drop constraint quarantined_readings_reason_check,
  add constraint quarantined_readings_reason_check check (reason in ('jump', 'glitch', 'conflict', 'invalid', 'dip', 'clock'));

-- Judged again: jumps, by limits that the contract raises, falls of which the readings around them know nothing, and months in which
-- a counter fell.
insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
select meter_id, min(timestamp), max(timestamp) from quarantined_readings
where decision is null and reason in ('jump', 'glitch') group by meter_id;
insert into meter_remakes (meter_id, month) select meter_id, month from meter_months where resets > 0 on conflict do nothing;
