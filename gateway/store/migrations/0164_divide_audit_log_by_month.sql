-- The audit by month (UTC), so that old months go at once. Its numbers go on where they were: they order what happened in one
-- millisecond.
alter table audit_log rename to audit_log_before;
alter table audit_log_before rename constraint audit_log_pkey to audit_log_before_pkey;
alter table audit_log_before rename constraint audit_log_tenant_fkey to audit_log_before_tenant;
drop index audit_log_tenant, audit_log_age, audit_log_person, audit_log_path;
alter sequence audit_log_audit_id_seq rename to audit_log_before_seq;

create table audit_log (
  audit_id bigint generated always as identity,
  tenant uuid not null references companies on delete cascade,
  at bigint not null,
  cognito_id uuid,
  by_name text not null,
  ip text not null,
  request_id text not null,
  path text not null,
  input jsonb not null,
  before jsonb,
  after jsonb,
  primary key (audit_id, at)
) partition by range (at);
create index audit_log_tenant on audit_log (tenant, at desc);
create index audit_log_person on audit_log (tenant, cognito_id, at desc);
create index audit_log_path on audit_log (tenant, path, at desc);
-- Monthly partitions are made by the gateway, as for readings.
create table audit_log_default partition of audit_log default;

do $$
declare
  month timestamp;
begin
  for month in
    select distinct date_trunc('month', to_timestamp(at / 1000) at time zone 'UTC') from audit_log_before
    where at >= extract(epoch from now() - interval '36 months') * 1000
    union select date_trunc('month', now() at time zone 'UTC')
    union select date_trunc('month', now() at time zone 'UTC') + interval '1 month'
  loop
    execute format('create table audit_log_%s partition of audit_log for values from (%s) to (%s)', to_char(month, 'YYYY_MM'),
      (extract(epoch from month) * 1000)::bigint, (extract(epoch from month + interval '1 month') * 1000)::bigint);
  end loop;
end $$;

insert into audit_log (audit_id, tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after)
overriding system value
select audit_id, tenant, at, cognito_id, by_name, ip, request_id, path, input, before, after from audit_log_before;
select setval('audit_log_audit_id_seq', last_value, is_called) from audit_log_before_seq;
drop table audit_log_before;
