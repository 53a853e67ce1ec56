-- Energy of each meter and day of its home's clock, in 15-minute intervals, reckoned from its readings and what people corrected;
-- made anew for whatever is in meter_dirty, so it never drifts. `cumulative` is the energy in kWh from the day's beginning to the
-- end of each interval, so that the energy of any part of a day is one subtraction; `quality` has a letter for each: m measured,
-- e estimated, c corrected, - missing. Both end with the last interval that is known. Days are counted from 1970-01-01.
create table meter_days (
  kwh double precision not null,
  meter_id integer not null,
  day integer not null,
  measured smallint not null,
  estimated smallint not null,
  corrected smallint not null,
  missing smallint not null,
  resets smallint not null,
  cumulative double precision[] not null,
  quality text not null,
  -- The intervals, 0 the first, in which a counter was seen to have fallen: `resets` of them.
  reset_quarters smallint[] not null default '{}',
  -- What the readings alone say, where a correction says otherwise; null where none does.
  raw_cumulative double precision[],
  raw_quality text,
  primary key (meter_id, day)
) partition by range (day);
-- Monthly partitions are made by the gateway, as for readings.
create table meter_days_default partition of meter_days default;

-- Sums of meter_days. Months are counted from year 0.
create table meter_months (
  kwh double precision not null,
  meter_id integer not null,
  month integer not null,
  measured integer not null,
  estimated integer not null,
  corrected integer not null,
  missing integer not null,
  resets integer not null,
  primary key (meter_id, month)
);

-- Spans of time in which a meter's readings or corrections changed since its days were reckoned; written in the transaction of the
-- change. Only ever added to and taken from, so nobody waits for it. A span that ends before it begins asks to look at the meter
-- only: its home's clock may have changed.
create table meter_dirty (
  meter_id integer not null,
  from_timestamp bigint not null,
  through_timestamp bigint not null
);
create index meter_dirty_meter on meter_dirty (meter_id);
