-- Devices of one type that are controlled as one.
create table groups (
  tenant uuid not null,
  group_id text not null,
  home_id text not null,
  group_name text not null,
  group_type text not null,
  version integer not null default 1,
  primary key (tenant, group_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index groups_name on groups (tenant, home_id, lower(group_name));

create table group_members (
  tenant uuid not null,
  group_id text not null,
  peripheral_uid text not null,
  -- Where it stands in the list.
  place integer not null,
  primary key (tenant, group_id, peripheral_uid),
  foreign key (tenant, group_id) references groups (tenant, group_id) on delete cascade,
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
);
create index group_members_device on group_members (tenant, peripheral_uid);

-- What devices are set to together; actions as in contract/rules/automation/action.ts.
create table scenes (
  tenant uuid not null,
  scene_id text not null,
  home_id text not null,
  scene_name text not null,
  icon text not null,
  actions jsonb not null,
  action_order text not null,
  version integer not null default 1,
  primary key (tenant, scene_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index scenes_name on scenes (tenant, home_id, lower(scene_name));
create index scenes_actions on scenes using gin (actions jsonb_path_ops);
