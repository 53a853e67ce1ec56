-- A device says the role that its meter has today, as it says its room and parent.
alter table peripherals add column role text;
update peripherals p set role = f.value #>> '{}'
from (select distinct on (tenant, home_id, meter_key) tenant, home_id, meter_key, value
  from meter_facts where fact = 'role' order by tenant, home_id, meter_key, from_day desc) f
where f.tenant = p.tenant and f.home_id = p.home_id and f.meter_key = p.peripheral_uid;
