-- The energy of a home as a whole, by day and month: sums of meter_days and meter_months over the meters that make its total, made
-- anew for whatever is in home_dirty. All arrays run on from the day's beginning to the end of each interval, and are empty where
-- there is nothing: energy in kWh, intervals measured, estimated and corrected, and counters that fell, of all meters together.
create table home_days (
  tenant uuid not null,
  home_id text not null,
  day integer not null,
  cumulative double precision[] not null,
  measured integer[] not null,
  estimated integer[] not null,
  corrected integer[] not null,
  resets integer[] not null,
  primary key (tenant, home_id, day),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

create table home_months (
  tenant uuid not null,
  home_id text not null,
  month integer not null,
  kwh double precision not null,
  measured integer not null,
  estimated integer not null,
  corrected integer not null,
  resets integer not null,
  primary key (tenant, home_id, month),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Which meters the sums are made of, and a short form of it by which a change is seen.
create table home_members (
  tenant uuid not null,
  home_id text not null,
  hash text not null,
  members jsonb not null,
  primary key (tenant, home_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Days of one month of a home that changed since they were added up, both ends inclusive. Only ever added to and taken from, as
-- meter_dirty; without a foreign key, because whoever writes days holds meters and must not wait for a home.
create table home_dirty (
  tenant uuid not null,
  home_id text not null,
  from_day integer not null,
  through_day integer not null
);
create index home_dirty_home on home_dirty (tenant, home_id, from_day);

create function note_home_days() returns trigger language plpgsql as $$
begin
  insert into home_dirty (tenant, home_id, from_day, through_day)
  select distinct m.tenant, m.home_id, c.day, c.day from changed c join meters m on m.meter_id = c.meter_id;
  return null;
end $$;
create trigger meter_days_added after insert on meter_days referencing new table as changed
  for each statement execute function note_home_days();
create trigger meter_days_changed after update on meter_days referencing new table as changed
  for each statement execute function note_home_days();
create trigger meter_days_removed after delete on meter_days referencing old table as changed
  for each statement execute function note_home_days();

-- What was reckoned before.
insert into home_dirty (tenant, home_id, from_day, through_day)
select distinct m.tenant, m.home_id, make_date(t.month / 12, t.month % 12 + 1, 1) - date '1970-01-01',
  (make_date(t.month / 12, t.month % 12 + 1, 1) + interval '1 month')::date - 1 - date '1970-01-01'
from meter_months t join meters m on m.meter_id = t.meter_id;
