-- Intervals of meters that report less often than every 15 minutes, but on time: the letter b in `quality`, which were estimated before.
-- They are no part of `estimated`, and none of days whose readings are not kept any more.
alter table meter_days add column between smallint not null default 0;
alter table meter_months add column between integer not null default 0;
alter table meter_day_sums add column between integer not null default 0;
alter table home_days add column between integer[] not null default '{}';
alter table home_months add column between integer not null default 0;

-- Months of meters that were computed by older rules: gateways mark them dirty little by little, and what of them can be computed
-- from readings is made again. Whoever takes a row marks its month in the same transaction.
create table meter_remakes (
  meter_id integer not null,
  month integer not null,
  primary key (meter_id, month)
);
insert into meter_remakes (meter_id, month) select meter_id, month from meter_months where estimated > 0;
