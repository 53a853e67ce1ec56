-- Alarms: what needs or needed somebody, from when it was raised until it was cleared. `source` says what tells of it
-- ('state:<peripheral_uid>'; 'hub:<thing_name>' and 'rule:<id>' are for those that follow), `key` tells several of one source
-- apart. An alarm outlives its device: a fire does not end because a device was removed.
create table alarms (
  alarm_id uuid primary key,
  tenant uuid not null,
  home_id text not null,
  source text not null,
  key text not null default '',
  automation_id text,
  peripheral_uid text,
  peripheral_type text,
  peripheral_name text,
  severity text not null check (severity in ('critical', 'warning')),
  -- The status fields that mean alarm or warning, or what a rule measured.
  values jsonb not null,
  peak double precision,
  count integer not null default 1,
  raised_at bigint not null,
  -- Of the report that this is known by.
  reported_at bigint not null,
  acknowledged_by text,
  acknowledged_at bigint,
  comment text,
  shelved_until bigint,
  -- Null where a newer report ended it.
  cleared_by text,
  cleared_at bigint,
  cleared_reason text,
  check ((acknowledged_by is null) = (acknowledged_at is null)),
  check (cleared_by is null or cleared_at is not null and cleared_reason is not null)
);
create unique index alarms_open on alarms (tenant, source, key) where cleared_at is null;
create index alarms_of_source on alarms (tenant, source, reported_at) where cleared_by is not null;
create index alarms_of_home on alarms (tenant, home_id, raised_at);
create index alarms_age on alarms (cleared_at) where cleared_at is not null;

-- No foreign key to homes: reports hold devices when they raise an alarm, and whoever removes a home holds it before its devices.
-- The name sorts behind those of the foreign keys' own triggers: by then nothing can report for the home any more.
create function forget_alarms() returns trigger language plpgsql as $$
begin
  delete from alarms where tenant = old.tenant and home_id = old.home_id;
  return null;
end $$;
create trigger forget_alarms after delete on homes for each row execute function forget_alarms();
