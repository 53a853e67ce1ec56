-- Old rows are found by their age.
create index audit_log_age on audit_log (at);
create index commands_age on commands (settled_at) where settled_at is not null;

-- Secrets that an outside broker was not yet told, encrypted; a row goes once the broker has it.
create table hub_enrolments (
  thing_name text primary key references things on delete cascade,
  tenant uuid not null,
  home_id text not null,
  sealed_secret text not null,
  created_at bigint not null
);
