-- A company is a tenant; its id is the owner's CognitoId, called rootId in topics.
create table companies (
  tenant uuid primary key,
  company_name text not null,
  logo_name text not null default '',
  logo_url text,
  created_at bigint not null
);

create table departments (
  tenant uuid not null references companies on delete cascade,
  department_id text not null,
  department text not null,
  primary key (tenant, department_id)
);
create unique index departments_name on departments (tenant, lower(department));

-- Root is the row whose cognito_id is the tenant. Addresses are stored in lower case and unique over all companies.
create table users (
  tenant uuid not null references companies on delete cascade,
  cognito_id uuid primary key,
  email text not null unique check (email = lower(email)),
  first_name text not null default '',
  last_name text not null default '',
  nickname text not null default '',
  department_id text,
  enabled boolean not null default true,
  rank integer not null default 0,
  permissions jsonb not null default '[]',
  initialized boolean not null default false,
  created_at bigint not null,
  foreign key (tenant, department_id) references departments (tenant, department_id)
);
create index users_tenant on users (tenant);

create table personal_configs (
  tenant uuid not null references companies on delete cascade,
  cognito_id uuid primary key references users on delete cascade,
  notification boolean not null,
  custom_dashboard text not null,
  decimal_precision integer not null,
  language text
);

create table homes (
  tenant uuid not null references companies on delete cascade,
  home_id text not null,
  home_name text not null,
  time_zone text not null,
  thread_network_key text,
  -- The next RoomID of this home; ids are never used twice.
  next_room_id integer not null default 1,
  created_at bigint not null,
  primary key (tenant, home_id),
  unique (home_id)
);
create unique index homes_name on homes (tenant, lower(home_name));

create table rooms (
  tenant uuid not null,
  home_id text not null,
  room_id integer not null,
  room_name text not null,
  primary key (tenant, home_id, room_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index rooms_name on rooms (tenant, home_id, lower(room_name));

-- Hubs. The name is unique in the whole gateway because it is the hub's MQTT user name and shadow name.
create table things (
  tenant uuid not null,
  thing_name text primary key,
  device_name text not null,
  home_id text not null,
  room_id integer not null default 0,
  secret_hash bytea not null,
  online boolean not null default false,
  seen_at bigint,
  created_at bigint not null,
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade,
  foreign key (tenant, home_id, room_id) references rooms (tenant, home_id, room_id)
);
create index things_home on things (tenant, home_id);

create table peripherals (
  tenant uuid not null,
  peripheral_uid text not null,
  peripheral_type text not null,
  peripheral_name text not null,
  home_id text not null,
  room_id integer not null default 0,
  thing_name text not null references things on delete cascade,
  power_meter_update_frequency integer not null default 900,
  control_mode integer not null default 0,
  pulse_duration integer,
  peripheral_image_url text,
  parent_meter text,
  created_at bigint not null,
  primary key (tenant, peripheral_uid),
  foreign key (tenant, parent_meter) references peripherals (tenant, peripheral_uid) on delete set null (parent_meter),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade,
  foreign key (tenant, home_id, room_id) references rooms (tenant, home_id, room_id)
);
create index peripherals_home on peripherals (tenant, home_id, room_id);
create index peripherals_thing on peripherals (thing_name);

-- Devices that a hub announced and nobody has added.
create table discoveries (
  tenant uuid not null,
  peripheral_uid text not null,
  peripheral_type text not null,
  peripheral_name text not null,
  home_id text not null,
  thing_name text not null references things on delete cascade,
  discovered_at bigint not null,
  primary key (tenant, peripheral_uid),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);

-- What the calls leave behind: results of RequestIDs for 24 h, and who changed what.
create table request_results (
  tenant uuid not null references companies on delete cascade,
  cognito_id uuid not null,
  request_id text not null,
  path text not null,
  input_hash bytea not null,
  results jsonb,
  created_at bigint not null,
  primary key (tenant, cognito_id, request_id)
);
create index request_results_age on request_results (created_at);

create table audit_log (
  audit_id bigint generated always as identity primary key,
  tenant uuid not null references companies on delete cascade,
  at bigint not null,
  cognito_id uuid,
  by_name text not null,
  ip text not null,
  request_id text not null,
  path text not null,
  input jsonb not null,
  before jsonb,
  after jsonb
);
create index audit_log_tenant on audit_log (tenant, at desc);
