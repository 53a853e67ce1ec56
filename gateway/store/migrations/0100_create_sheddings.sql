-- How each contract guard stands, and what it said last. One gateway decides it at a time.
create table guard_states (
  tenant uuid not null,
  automation_id text not null,
  home_id text not null,
  state text not null,
  -- kW, of the quarter of an hour that ran then; null for what was not known.
  forecast double precision,
  target double precision,
  at bigint not null,
  -- Since when no main meter's word was known, epoch ms.
  partial_since bigint,
  told_partial boolean not null default false,
  -- The first ms of the quarter in which people were told that it cannot be held.
  told_quarter bigint,
  primary key (tenant, automation_id),
  foreign key (tenant, automation_id) references automations (tenant, automation_id) on delete cascade
);

-- Loads that contract guards shed. They outlive their rule, which may be gone before they are given back.
create table sheddings (
  shedding_id uuid primary key,
  tenant uuid not null,
  home_id text not null,
  automation_id text not null,
  automation_name text not null,
  owner_id uuid,
  peripheral_uid text,
  group_id text,
  -- What sheds it.
  values jsonb not null,
  state text not null check (state in ('sent', 'off', 'failed', 'givenBack')),
  -- What it drew, kW; null where nobody knew.
  kw double precision,
  shed_at bigint not null,
  confirmed_at bigint,
  -- When its run was planned; it is given back once that is carried out, and planned again if it failed.
  give_back_planned_at bigint,
  given_back_at bigint,
  run_id text not null,
  given_back_run_id text,
  forecast double precision not null,
  target double precision not null,
  check ((peripheral_uid is null) <> (group_id is null)),
  check ((state = 'givenBack') = (given_back_at is not null)),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index sheddings_of_home on sheddings (tenant, home_id, shed_at desc);
create index sheddings_open on sheddings (tenant, automation_id) where given_back_at is null;
create index sheddings_age on sheddings (given_back_at) where given_back_at is not null;
