-- Months of homes in which meters changed their place were never asked for, and are wrong: they are added up again.
insert into home_dirty (tenant, home_id, from_day, through_day)
select k.tenant, k.home_id, make_date(k.month / 12, k.month % 12 + 1, 1) - date '1970-01-01',
  (make_date(k.month / 12, k.month % 12 + 1, 1) + interval '1 month')::date - 1 - date '1970-01-01'
from home_months k join home_members m on m.tenant = k.tenant and m.home_id = k.home_id
where exists (select from jsonb_each(m.members -> 'times') t, jsonb_array_elements(t.value) s
  where s ->> 0 is not null or s ->> 1 is not null);

-- Rooms that are no more and in which meters counted: their past keeps a name.
create table ended_rooms (
  tenant uuid not null,
  home_id text not null,
  room_id integer not null,
  room_name text not null,
  -- Epoch ms.
  removed_at bigint not null,
  primary key (tenant, home_id, room_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- What a meter is rated for, in A, and what follows from it: what it may pass.
alter table peripherals add column rated_current double precision;
alter table meter_facts drop constraint meter_facts_fact_check;
alter table meter_facts add constraint meter_facts_fact_check
  check (fact in ('role', 'room', 'parent', 'terms', 'counts', 'limit', 'rated', 'learnt'));
