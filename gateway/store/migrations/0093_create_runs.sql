-- Each time that a scene, an automation, a group or a room was carried out, or nearly.
create table automation_runs (
  tenant uuid not null,
  run_id text not null,
  home_id text not null,
  automation_id text,
  -- Of the automation, which may be gone: whose right its runs are read with.
  automation_type smallint,
  scene_id text,
  name text,
  cause text not null,
  by_name text,
  -- Whose rights it acts with; null of a person's own command.
  owner_id uuid,
  -- Which turn of the conditions, and for when it was planned: a second gateway's run of the same finds it here.
  edge_no bigint,
  planned_at bigint,
  -- How many runs caused each other before this one.
  depth smallint not null default 0,
  state text not null,
  reason text,
  began_at bigint not null,
  ended_at bigint,
  action_order text not null,
  -- As it was planned: actions as in contract/rules/automation/action.ts, or the run whose fields become what they were.
  planned jsonb not null default '[]',
  restores text,
  -- While actions wait for their hubs: until when they may be sent.
  catch_up_until bigint,
  conditions jsonb not null default '[]',
  -- Each device's action with what was before and where it stands: gateway/features/automation/runs.
  actions jsonb not null default '[]',
  -- Until when the gateway that works on it has it to itself; another one takes an older one up.
  taken_until bigint,
  primary key (tenant, run_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index automation_runs_edge on automation_runs (tenant, automation_id, edge_no) where edge_no is not null;
create unique index automation_runs_plan on automation_runs (tenant, automation_id, cause, planned_at) where planned_at is not null;
create index automation_runs_of_home on automation_runs (tenant, home_id, began_at desc);
create index automation_runs_of_automation on automation_runs (tenant, automation_id, began_at desc);
create index automation_runs_open on automation_runs (taken_until) where ended_at is null;
create index automation_runs_caught_up on automation_runs (tenant, home_id) where catch_up_until is not null;
create index automation_runs_age on automation_runs (began_at);

-- Which devices a run sets.
create table run_devices (
  tenant uuid not null,
  run_id text not null,
  peripheral_uid text not null,
  began_at bigint not null,
  primary key (tenant, run_id, peripheral_uid),
  foreign key (tenant, run_id) references automation_runs (tenant, run_id) on delete cascade
);
create index run_devices_device on run_devices (tenant, peripheral_uid, began_at desc);

alter table commands add column run_id text;
create index commands_run on commands (tenant, run_id) where run_id is not null;
