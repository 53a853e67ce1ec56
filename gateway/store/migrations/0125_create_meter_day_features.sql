-- Of each meter and day what findings look at, made once of meter_days and again when its row is another (`stamp` is its xmin).
create table meter_day_features (
  meter_id integer not null,
  day integer not null,
  kwh double precision not null,
  -- Part of its intervals that was measured or lies between two readings.
  known real not null,
  -- kW: the second lowest hour from 0 to 6, null where too little of the night is known; the highest 15 minutes; and what a tenth and
  -- nine tenths of the intervals stay below.
  base_kw real,
  peak_kw real not null,
  low_kw real not null,
  high_kw real not null,
  stamp bigint not null,
  primary key (meter_id, day)
);
