-- A quantity that a device of a home measures, under a number that keeps its samples small. As a meter's, it outlives the
-- device: what a removed device measured stays in the home's history, and the same device added again goes on where it was.
create table sample_series (
  series_id integer generated always as identity primary key,
  tenant uuid not null,
  home_id text not null,
  peripheral_uid text not null,
  field text not null,
  unique (tenant, home_id, peripheral_uid, field),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- What was measured first in each minute (counted from 1970-01-01 UTC), and how many ms into it. The value stands in the index
-- as well: the samples of one series are strewn over the table, and a chart of a year is read from the index alone.
-- No foreign key: its check would cost more than the insert.
create table device_samples (
  value double precision not null,
  series_id integer not null,
  minute integer not null,
  after_ms integer not null,
  primary key (series_id, minute) include (value)
) partition by range (minute);
-- Monthly partitions are made by the gateway, as for readings.
create table device_samples_default partition of device_samples default;

-- Series that went with their home. Their samples can be millions, so they are deleted afterwards, little by little.
create table dropped_series (
  series_id integer primary key
);
create function remember_dropped_series() returns trigger language plpgsql as $$
begin
  insert into dropped_series (series_id) values (old.series_id);
  return null;
end $$;
create trigger sample_series_dropped after delete on sample_series for each row execute function remember_dropped_series();
