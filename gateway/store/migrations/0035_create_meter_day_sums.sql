-- The energy of a meter's Mondays to Fridays (sort 0), Saturdays (1) and Sundays (2) of a month, sums of meter_days: what a month
-- costs by the hour is asked of three rows and its few other days instead of thirty. They hold as long as the row of the month in
-- meter_months is the one that they were made with: `stamp` is its xmin and `month_kwh` its sum, which a restored backup keeps while
-- it numbers transactions anew. `cumulative` runs on from the days' beginnings to the end of each of 96 intervals.
create table meter_day_sums (
  kwh double precision not null,
  meter_id integer not null,
  month integer not null,
  sort smallint not null,
  measured integer not null,
  estimated integer not null,
  corrected integer not null,
  missing integer not null,
  resets integer not null,
  stamp bigint not null,
  month_kwh double precision not null,
  cumulative double precision[] not null,
  primary key (month, meter_id, sort),
  foreign key (meter_id, month) references meter_months (meter_id, month) on delete cascade
);
