-- Schedules, smart links and alarms; rule as AutomationRule in contract/resources/automation.ts without name, text and switch.
create table automations (
  tenant uuid not null,
  automation_id text not null,
  home_id text not null,
  automation_type smallint not null,
  automation_name text not null,
  description text not null,
  enabled boolean not null,
  rule jsonb not null,
  -- Whose rights it acts with; null when that person is gone.
  owner_id uuid references users (cognito_id) on delete set null,
  -- What was found wrong with it, as AutomationProblem; null when nothing is.
  problem jsonb,
  next_run_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  primary key (tenant, automation_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index automations_name on automations (tenant, home_id, automation_type, lower(automation_name));
create index automations_due on automations (next_run_at) where next_run_at is not null;
create index automations_owner on automations (owner_id);

-- Which devices, groups, scenes and rooms an automation names, and as what: its conditions or its actions.
create table automation_subjects (
  tenant uuid not null,
  automation_id text not null,
  kind text not null check (kind in ('device', 'group', 'scene', 'room', 'conferenceRoom', 'home')),
  subject text not null,
  role text not null check (role in ('condition', 'action')),
  primary key (tenant, automation_id, kind, subject, role),
  foreign key (tenant, automation_id) references automations (tenant, automation_id) on delete cascade
);
create index automation_subjects_of on automation_subjects (tenant, kind, subject);

-- Where the truth of an automation's conditions stands. Changed often, and never grown.
create table automation_states (
  tenant uuid not null,
  automation_id text not null,
  -- Of the version of the rule; another one starts anew. 0 before the first decision.
  version integer not null,
  -- Memory in gateway/features/automation/engine; null before the first decision.
  state jsonb not null,
  -- The last seen seq of device_events, by device.
  positions jsonb not null,
  -- How long it rested last because it ran too often, ms, and until when: the next time is twice as long.
  rest_ms bigint,
  rested_until bigint,
  -- When it was last decided, or found as it is; the oldest are looked at again.
  checked_at bigint not null,
  primary key (tenant, automation_id),
  foreign key (tenant, automation_id) references automations (tenant, automation_id) on delete cascade
) with (fillfactor = 70);
create index automation_states_checked on automation_states (checked_at);

-- What an automation waits for: a hold, an end, an off after hours, a repeat, a booking. Taken by any gateway when it is due.
create table automation_waits (
  wait_id bigint generated always as identity primary key,
  tenant uuid not null,
  automation_id text not null,
  kind text not null check (kind in ('hold', 'end', 'off', 'repeat', 'booking', 'period', 'silent', 'unknown', 'resume')),
  key text not null,
  due_at bigint not null,
  detail jsonb not null default '{}',
  unique (tenant, automation_id, kind, key),
  foreign key (tenant, automation_id) references automations (tenant, automation_id) on delete cascade
);
create index automation_waits_due on automation_waits (due_at);

-- Homes whose automations rest; until is null until a person ends it.
create table automation_pauses (
  tenant uuid not null,
  home_id text not null,
  until bigint,
  reason text not null,
  by_name text not null,
  at bigint not null,
  primary key (tenant, home_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Where a home is, degrees: for sunrise and sunset. Null when nobody has said.
alter table homes add column latitude double precision, add column longitude double precision;
-- The room of its home that a meeting room is.
alter table conference_rooms add column room_id integer;
