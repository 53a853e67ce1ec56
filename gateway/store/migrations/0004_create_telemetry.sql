-- The last known state of each device (§3 Device live status), merged from its reports in the order of their timestamps.
-- Half-empty pages keep the updates, which never touch the key, off the index.
create table device_status (
  tenant uuid not null,
  peripheral_uid text not null,
  home_id text not null,
  peripheral_type text not null,
  timestamp bigint not null,
  values jsonb not null,
  updated_at bigint not null,
  primary key (tenant, peripheral_uid),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
) with (fillfactor = 50);
create index device_status_home on device_status (tenant, home_id);

-- A meter in a home, under a number that keeps the readings small. It outlives its peripheral: what a removed meter
-- counted stays in the home's reports, and the same meter added again to the home goes on where it was.
create table meters (
  meter_id integer generated always as identity primary key,
  tenant uuid not null,
  home_id text not null,
  peripheral_uid text not null,
  unique (tenant, home_id, peripheral_uid),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Counter in kWh at a moment (epoch ms), with what else the meter said. Wide columns first, so that no byte is padding.
-- No foreign key: its check would cost more than the insert.
create table readings (
  timestamp bigint not null,
  accumulate_power double precision not null,
  meter_id integer not null,
  power real,
  avg_electric_current real,
  voltage real,
  power_factor real,
  primary key (meter_id, timestamp)
) partition by range (timestamp);
-- Monthly partitions are made by the gateway before their first reading; this one takes what is too old for them.
create table readings_default partition of readings default;

-- Meters that went with their home. Their readings can be millions, so they are deleted afterwards, little by little.
create table dropped_meters (
  meter_id integer primary key
);
create function remember_dropped_meter() returns trigger language plpgsql as $$
begin
  insert into dropped_meters (meter_id) values (old.meter_id);
  return null;
end $$;
create trigger meters_dropped after delete on meters for each row execute function remember_dropped_meter();
