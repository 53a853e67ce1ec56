-- What people say of meters from a day on, and what was learnt of them (contract/rules/meter/meter-facts.ts). A row holds until the
-- next of its fact. A meter without rows of `room` or `parent` stands where its device does, or last did.
create table meter_facts (
  tenant uuid not null,
  home_id text not null,
  -- A PeripheralUID, that of a second register with `.return`, or the id of a virtual meter.
  meter_key text not null,
  fact text not null check (fact in ('role', 'room', 'parent', 'terms', 'counts', 'limit', 'learnt')),
  -- Of the home's calendar, in days since 1970-01-01; 0 of what always held.
  from_day integer not null,
  value jsonb not null,
  -- Null where nobody said so.
  by text,
  at bigint not null,
  primary key (tenant, home_id, meter_key, fact, from_day),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- Where meters stand now they have always stood, as far as anybody knows.
insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, at)
select m.tenant, m.home_id, m.peripheral_uid, 'room', 0, to_jsonb(coalesce(p.room_id, m.room_id, 0)),
  (extract(epoch from now()) * 1000)::bigint
from meters m left join peripherals p
  on p.tenant = m.tenant and p.home_id = m.home_id and p.peripheral_uid = m.peripheral_uid;

insert into meter_facts (tenant, home_id, meter_key, fact, from_day, value, at)
select m.tenant, m.home_id, m.peripheral_uid, 'parent', 0,
  coalesce(to_jsonb(case when p.peripheral_uid is null then m.parent_meter
    else coalesce(p.parent_meter, (select a.peripheral_uid from meters a where a.tenant = m.tenant
      and a.home_id = m.home_id and a.peripheral_uid = m.parent_meter and a.removed_at is not null)) end), 'null'::jsonb),
  (extract(epoch from now()) * 1000)::bigint
from meters m left join peripherals p
  on p.tenant = m.tenant and p.home_id = m.home_id and p.peripheral_uid = m.peripheral_uid;
