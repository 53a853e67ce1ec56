-- Commands by the month in which they were asked for (UTC), so that old months go at once. A unique key of a divided table holds
-- within each month only: that nothing is carried out twice is kept by command_keys, which also says in which month a request is.
alter table commands rename to commands_before;
alter table commands_before rename constraint commands_pkey to commands_before_pkey;
alter table commands_before rename constraint commands_tenant_home_id_fkey to commands_before_home;
drop index commands_device, commands_open, commands_age, commands_run;

create table commands (
  tenant uuid not null,
  request_id text not null,
  peripheral_uid text not null,
  home_id text not null,
  thing_name text not null,
  values jsonb not null,
  source text not null,
  by_name text,
  state text not null,
  reason text,
  history jsonb not null,
  requested_at bigint not null,
  settled_at bigint,
  run_id text,
  -- When the database took a command: by its clock every gateway knows which commands are overdue, whatever its own clock says.
  stored_at timestamptz not null default now(),
  primary key (tenant, request_id, peripheral_uid, requested_at),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
) partition by range (requested_at);
create index commands_device on commands (tenant, peripheral_uid, requested_at desc);
create index commands_open on commands (requested_at) where settled_at is null;
create index commands_run on commands (tenant, run_id) where run_id is not null;
-- Monthly partitions are made by the gateway, as for readings.
create table commands_default partition of commands default;

do $$
declare
  month timestamp;
begin
  for month in
    select distinct date_trunc('month', to_timestamp(requested_at / 1000) at time zone 'UTC') from commands_before
    where requested_at >= extract(epoch from now() - interval '36 months') * 1000
    union select date_trunc('month', now() at time zone 'UTC')
    union select date_trunc('month', now() at time zone 'UTC') + interval '1 month'
  loop
    execute format('create table commands_%s partition of commands for values from (%s) to (%s)', to_char(month, 'YYYY_MM'),
      (extract(epoch from month) * 1000)::bigint, (extract(epoch from month + interval '1 month') * 1000)::bigint);
  end loop;
end $$;

insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state, reason, history,
  requested_at, settled_at, run_id, stored_at)
select tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name, state, reason, history,
  requested_at, settled_at, run_id, stored_at
from commands_before;

-- Which requests were made, and when. They stay longer than a request is repeated, and no longer.
create table command_keys (
  tenant uuid not null,
  request_id text not null,
  peripheral_uid text not null,
  requested_at bigint not null,
  primary key (tenant, request_id, peripheral_uid)
);
create index command_keys_age on command_keys (requested_at);
insert into command_keys select tenant, request_id, peripheral_uid, requested_at from commands_before;
drop table commands_before;

-- A command whose request was made before is passed over, whoever inserts it.
create function keep_command_key() returns trigger language plpgsql as $$
begin
  insert into command_keys (tenant, request_id, peripheral_uid, requested_at)
  values (new.tenant, new.request_id, new.peripheral_uid, new.requested_at) on conflict do nothing;
  return case when found then new end;
end $$;
create trigger commands_key before insert on commands for each row execute function keep_command_key();
