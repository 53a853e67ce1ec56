-- Floors of homes with their plans: see contract/resources/floor.ts.
alter table homes add column next_floor_id integer not null default 1;
create table floors (
  tenant uuid not null,
  home_id text not null,
  floor_id integer not null,
  floor_name text not null,
  place integer not null,
  -- Url, SmallUrl, Width and Height; null without a plan.
  plan jsonb,
  version integer not null default 1,
  primary key (tenant, home_id, floor_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index floors_by_name on floors (tenant, home_id, lower(floor_name));

-- Where a room is on a floor: on one at most.
create table floor_rooms (
  tenant uuid not null,
  home_id text not null,
  room_id integer not null,
  floor_id integer not null,
  -- Points or At.
  shape jsonb not null,
  primary key (tenant, home_id, room_id),
  foreign key (tenant, home_id, room_id) references rooms (tenant, home_id, room_id) on delete cascade,
  foreign key (tenant, home_id, floor_id) references floors (tenant, home_id, floor_id) on delete cascade
);
create index rooms_of_floor on floor_rooms (tenant, home_id, floor_id);
