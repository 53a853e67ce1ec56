-- What costs money in a home and need not, and what becomes of it (contract/procedures/findings.ts). Days are counted from
-- 1970-01-01, by the home's clock; money is NT$ a month of 30 days.
create table findings (
  finding_id uuid primary key default gen_random_uuid(),
  tenant uuid not null,
  home_id text not null,
  kind text not null,
  -- Where: a room, a meter or device, or with neither the home as a whole.
  room_id integer,
  meter_id text,
  from_day integer not null,
  through_day integer not null,
  kwh double precision,
  amount double precision,
  low double precision,
  high double precision,
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  why jsonb not null,
  -- {Unit, Days}, and {Was, Without} of the bill, as /GetFindingEvidence answers them.
  evidence jsonb not null,
  bill jsonb,
  -- What its kind found usual before it began, so that what lasts does not become usual.
  memory jsonb,
  state text not null default 'open'
    check (state in ('open', 'accepted', 'done', 'verified', 'notSeen', 'tooUncertain', 'dismissed', 'expired')),
  owner uuid,
  due integer,
  reason text check (reason in ('wanted', 'wrong', 'later')),
  until integer,
  done_on integer,
  first_seen integer not null,
  last_seen integer not null,
  -- MeasuredSaving.
  verified jsonb,
  version integer not null default 1,
  -- Of a kind and place there is one of these at a time: until it is over, or was put aside as wrong.
  is_live boolean not null default true,
  -- Lists begin with what makes the headline, in each the largest amount first.
  place bigint not null generated always as (
    case when confidence = 'low' or kind in ('overContract', 'balanceFault', 'silent') then 0 else 1000000000000000 end
      + round(coalesce(amount, 0) * 100)::bigint) stored,
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade,
  check ((state = 'dismissed') = (reason is not null))
);
create unique index findings_live on findings (tenant, home_id, kind, room_id, meter_id) nulls not distinct where is_live;
create index findings_of_home on findings (tenant, home_id, place, (finding_id::text));
create index findings_of_tenant on findings (tenant, place, (finding_id::text));

-- kWh of each of its days that need not be used, by meter.
create table finding_claims (
  finding_id uuid not null references findings on delete cascade,
  meter_id text not null,
  from_day integer not null,
  kwh double precision[] not null,
  primary key (finding_id, meter_id)
);

-- By how much the threshold of a kind is raised where a person said that it was wrong.
create table finding_thresholds (
  tenant uuid not null,
  home_id text not null,
  kind text not null,
  room_id integer,
  meter_id text,
  factor double precision not null,
  unique nulls not distinct (tenant, home_id, kind, room_id, meter_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- What was last computed of each home: its last whole day, and the headline.
create table home_savings (
  tenant uuid not null,
  home_id text not null,
  day integer not null,
  computed_at bigint not null,
  -- Amount, Low, High, Proof and Lack; see gateway/features/insight/findings/compute-saving.ts.
  saving jsonb not null,
  partly boolean not null,
  primary key (tenant, home_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Homes whose findings are to be looked for again. Only ever added to and taken from, as home_dirty.
create table insight_due (
  tenant uuid not null,
  home_id text not null,
  reason text not null,
  at timestamptz not null default now()
);
create index insight_due_home on insight_due (tenant, home_id);

-- Findings look at so many days before the last: what changes there makes them old. Days that are still to come in are not.
create function note_insight_due() returns trigger language plpgsql as $$
begin
  insert into insight_due (tenant, home_id, reason)
  select distinct m.tenant, m.home_id, 'energy' from changed c join meters m on m.meter_id = c.meter_id
  join home_savings s on s.tenant = m.tenant and s.home_id = m.home_id and c.day <= s.day and c.day > s.day - 56;
  return null;
end $$;
create trigger meter_days_added_late after insert on meter_days referencing new table as changed
  for each statement execute function note_insight_due();
create trigger meter_days_changed_late after update on meter_days referencing new table as changed
  for each statement execute function note_insight_due();
create trigger meter_days_removed_late after delete on meter_days referencing old table as changed
  for each statement execute function note_insight_due();
