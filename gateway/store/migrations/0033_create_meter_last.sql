-- The last reading of each meter, so that the last status of a thousand meters is read from a few pages. Made anew from `readings`
-- with the meter's days, whenever meter_dirty says that its readings changed: who asks reckons the meter first, so it never lags.
-- Half-empty pages keep the updates, which never touch the key, off the index.
create table meter_last (
  timestamp bigint not null,
  accumulate_power double precision not null,
  meter_id integer primary key,
  power real,
  avg_electric_current real
) with (fillfactor = 50);

insert into meter_last (meter_id, timestamp, accumulate_power, power, avg_electric_current)
select m.meter_id, r.timestamp, r.accumulate_power, r.power, r.avg_electric_current
from meters m cross join lateral
  (select * from readings where meter_id = m.meter_id order by timestamp desc limit 1) r;
