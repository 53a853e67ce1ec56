-- In the list of alarms critical ones stand before the others that somebody has done as much about; what is over stays by time alone.
alter table alarms drop column place;
alter table alarms
  -- Sorts by rank before time: open before acknowledged before shelved, of these critical before warning, then cleared; the newest
  -- first. Ranks are far above any time in ms.
  add column place bigint not null generated always as (
    (case when cleared_at is not null then 0 else
      (case when shelved_until is not null then 1 when acknowledged_at is not null then 3 else 5 end)
      + (case when severity = 'critical' then 1 else 0 end) end)::bigint * 100000000000000 + raised_at) stored;
create index alarms_of_home on alarms (tenant, home_id, place, (alarm_id::text));
create index alarms_of_tenant on alarms (tenant, place, (alarm_id::text));
