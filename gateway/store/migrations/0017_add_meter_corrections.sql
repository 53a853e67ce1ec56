-- What a person must judge: readings that cannot be true. A jump or a glitch is in `readings` too and is not counted; of a conflict
-- the other value is there; an invalid one is here alone. `accepted` counts it, `dropped` never does.
create table quarantined_readings (
  timestamp bigint not null,
  value double precision not null,
  meter_id integer not null,
  reason text not null check (reason in ('jump', 'glitch', 'conflict', 'invalid')),
  decision text check (decision in ('accepted', 'dropped')),
  decided_by text,
  decided_at bigint,
  primary key (meter_id, timestamp)
);
create index quarantined_readings_open on quarantined_readings (meter_id) where decision is null;

-- What people said about a meter's energy, as a journal: never edited, only undone. kind interval: `kwh` in the whole quarters from
-- `from_timestamp` up to `to_timestamp`, shared evenly or by the shape of the readings; rows of one import share its id. kind
-- replacement: at `from_timestamp` a meter that stood at `old_kwh` gave way to one that stood at `new_kwh`.
create table meter_corrections (
  correction_id text primary key,
  tenant uuid not null,
  home_id text not null,
  meter_id integer not null,
  kind text not null check (kind in ('interval', 'replacement')),
  from_timestamp bigint not null,
  to_timestamp bigint not null,
  kwh double precision,
  sharing text check (sharing in ('even', 'shape')),
  old_kwh double precision,
  new_kwh double precision,
  note text not null default '',
  import_id text,
  created_by uuid not null,
  author_name text not null,
  created_at bigint not null,
  undone_at bigint,
  undone_by text,
  check (case kind when 'interval' then kwh is not null and sharing is not null and to_timestamp > from_timestamp
    else old_kwh is not null and new_kwh is not null end)
);
create index meter_corrections_meter on meter_corrections (meter_id, from_timestamp) where undone_at is null;
create index meter_corrections_home on meter_corrections (tenant, home_id, created_at desc);
create index meter_corrections_import on meter_corrections (import_id) where import_id is not null;

-- From when on each sort of row is kept whole; what was reckoned from older ones stays as it is.
create table energy_floors (
  sort text primary key check (sort in ('readings', 'days')),
  -- Epoch ms for readings, a day's number for days.
  floor bigint not null
);

-- The clock by which the days of a meter are divided. Kept apart from `meters`, whose rows others hold.
create table meter_clocks (
  meter_id integer primary key,
  time_zone text not null
);

-- What a meter was when it was last a device of its home, so that totals of the past stay as they were when it is removed.
alter table meters
  add column peripheral_name text,
  add column peripheral_type text,
  add column room_id integer,
  -- Also of a parent that was removed: it goes on counting for the time that it was there.
  add column parent_meter text,
  -- Epoch ms; null while it is a device.
  add column removed_at bigint;

update meters m set peripheral_name = p.peripheral_name, peripheral_type = p.peripheral_type, room_id = p.room_id,
  parent_meter = p.parent_meter
from peripherals p where p.tenant = m.tenant and p.home_id = m.home_id and p.peripheral_uid = m.peripheral_uid;
update meters m set removed_at = (extract(epoch from now()) * 1000)::bigint
where not exists (select 1 from peripherals p
  where p.tenant = m.tenant and p.home_id = m.home_id and p.peripheral_uid = m.peripheral_uid);

create function describe_new_meter() returns trigger language plpgsql as $$
begin
  select p.peripheral_name, p.peripheral_type, p.room_id, p.parent_meter
  into new.peripheral_name, new.peripheral_type, new.room_id, new.parent_meter
  from peripherals p
  where p.tenant = new.tenant and p.home_id = new.home_id and p.peripheral_uid = new.peripheral_uid;
  return new;
end $$;
create trigger meters_described before insert on meters for each row execute function describe_new_meter();

create function remember_meter() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update meters set removed_at = (extract(epoch from now()) * 1000)::bigint
    where tenant = old.tenant and home_id = old.home_id and peripheral_uid = old.peripheral_uid;
    return null;
  end if;
  update meters m set peripheral_name = new.peripheral_name, peripheral_type = new.peripheral_type, room_id = new.room_id,
    removed_at = null,
    parent_meter = case
      when new.parent_meter is null and m.parent_meter is not null and not exists (
        select 1 from peripherals p where p.tenant = new.tenant and p.peripheral_uid = m.parent_meter)
      then m.parent_meter else new.parent_meter end
  where m.tenant = new.tenant and m.home_id = new.home_id and m.peripheral_uid = new.peripheral_uid;
  return null;
end $$;
create trigger peripherals_remembered
  after insert or delete or update of peripheral_name, peripheral_type, room_id, parent_meter, home_id on peripherals
  for each row execute function remember_meter();

-- Another clock divides the same energy into other days.
create function repack_meters() returns trigger language plpgsql as $$
begin
  insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
  select meter_id, 1, 0 from meters where tenant = new.tenant and home_id = new.home_id;
  return null;
end $$;
create trigger homes_repacked after update of time_zone on homes for each row
  when (new.time_zone is distinct from old.time_zone) execute function repack_meters();

-- What was stored before energy was reckoned.
insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
select meter_id, min(timestamp), max(timestamp) from readings group by meter_id;
