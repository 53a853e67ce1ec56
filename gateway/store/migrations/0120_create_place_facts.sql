-- What people say of homes and rooms from a day on (contract/rules/energy/place-facts.ts): area, m², and opening hours. A row holds
-- until the next of its fact.
create table place_facts (
  tenant uuid not null,
  home_id text not null,
  -- Null of the home as a whole. Rooms end, and their past keeps what was said of them: RoomIDs are never given again.
  room_id integer,
  fact text not null check (fact in ('area', 'hours')),
  -- Of the home's calendar, in days since 1970-01-01; 0 of what always held.
  from_day integer not null,
  value jsonb not null,
  by text not null,
  at bigint not null,
  unique nulls not distinct (tenant, home_id, room_id, fact, from_day),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
