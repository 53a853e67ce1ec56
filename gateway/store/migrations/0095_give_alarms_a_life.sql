-- Alarms of readings, silence, hubs and rules beside those of states, and what becomes of each: see contract/procedures/alarms.ts
-- and contract/rules/alarm/alarm-life.ts. Those that are there are of states.
alter table alarms rename column peripheral_name to subject_name;
alter table alarms
  drop column peak,
  add column kind text not null default 'state' check (kind in ('state', 'breach', 'silent', 'hubLost', 'rule', 'ahead')),
  add column thing_name text,
  add column automation_name text,
  -- AlarmReading[].
  add column readings jsonb not null default '[]',
  -- [{By, At, Text}], the oldest first.
  add column comments jsonb not null default '[]',
  add column shelved_by text,
  add column shelved_at bigint,
  add column shelved_reason text,
  add column chattering boolean not null default false,
  -- When it was raised or became worse last, epoch ms, the newest last: by these it chatters.
  add column raises jsonb not null default '[]',
  -- Whether people were sent word that it is on; only then are they sent that it is over.
  add column told boolean not null default false,
  -- Whether something else explains it, as a lost hub does the silence of its devices: nobody is sent anything.
  add column inhibited boolean not null default false,
  -- Of rules: who is told (Notify); null is everybody who may read it.
  add column notify jsonb,
  -- Of rules: who is told when nobody acknowledges it (Escalation[]).
  add column escalate jsonb not null default '[]',
  -- By CognitoId, until when the links that somebody was given are used up, epoch ms.
  add column used_links jsonb not null default '{}',
  -- Sorts by rank before time: open before acknowledged before shelved before cleared, the newest first. Far above any time in ms.
  add column place bigint not null generated always as (
    (case when cleared_at is not null then 0 when shelved_until is not null then 1 when acknowledged_at is not null then 2
      else 3 end)::bigint * 100000000000000 + raised_at) stored,
  add check ((shelved_by is null) = (shelved_until is null));
update alarms set told = true where cleared_at is null;

drop index alarms_of_source;
drop index alarms_of_home;
-- The newest of a source: an open one first.
create index alarms_of_source on alarms (tenant, source, (cleared_at is null), reported_at);
create index alarms_of_home on alarms (tenant, home_id, place, (alarm_id::text));
create index alarms_of_tenant on alarms (tenant, place, (alarm_id::text));
create index alarms_open_of_kind on alarms (kind, tenant, source) where cleared_at is null;
create index alarms_shelved on alarms (shelved_until) where shelved_until is not null;
create index alarms_chattering on alarms (alarm_id) where chattering;

-- The steps of an escalation that are still to come. Taken by any gateway when they are due.
create table alarm_escalations (
  tenant uuid not null,
  alarm_id uuid not null references alarms on delete cascade,
  step integer not null,
  due_at bigint not null,
  -- Recipients in contract/rules/automation/alarm-part.ts.
  recipients jsonb not null,
  primary key (alarm_id, step)
);
create index alarm_escalations_due on alarm_escalations (due_at);

-- Devices whose readings have left their limits, or are back within, and whose alarm is raised or cleared if that stays so.
create table alarm_holds (
  tenant uuid not null,
  source text not null,
  home_id text not null,
  peripheral_uid text not null,
  becomes text not null check (becomes in ('raised', 'cleared')),
  -- By the device's clock.
  since bigint not null,
  due_at bigint not null,
  primary key (tenant, source)
);
create index alarm_holds_due on alarm_holds (due_at);
create index alarm_holds_of_home on alarm_holds (tenant, home_id);

create or replace function forget_alarms() returns trigger language plpgsql as $$
begin
  delete from alarms where tenant = old.tenant and home_id = old.home_id;
  delete from alarm_holds where tenant = old.tenant and home_id = old.home_id;
  return null;
end $$;

-- What is watched: devices with limits, and hubs that are away.
create index peripherals_limited on peripherals (tenant, peripheral_uid)
  where warning_threshold is not null or value_limits is not null;
create index hub_absences_open on hub_absences (since) where until is null;
