-- Changes of state by the month of their time (UTC), so that old months go at once. Their numbers go on where they were: they are the
-- order in which rules replay them.
alter table device_events rename to device_events_before;
alter table device_events_before rename constraint device_events_pkey to device_events_before_pkey;
alter table device_events_before rename constraint device_events_tenant_peripheral_uid_fkey to device_events_before_peripheral;
drop index device_events_age, device_events_replay, device_events_field;
alter sequence device_events_seq_seq rename to device_events_before_seq;

create table device_events (
  tenant uuid not null,
  peripheral_uid text not null,
  timestamp bigint not null,
  field text not null,
  before double precision,
  value double precision not null,
  seq bigint generated always as identity,
  late boolean not null default false,
  primary key (tenant, peripheral_uid, timestamp, seq),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
) partition by range (timestamp);
create index device_events_replay on device_events (tenant, peripheral_uid, seq);
create index device_events_field on device_events (tenant, peripheral_uid, field, timestamp, seq);
-- Monthly partitions are made by the gateway, as for readings.
create table device_events_default partition of device_events default;

do $$
declare
  month timestamp;
begin
  for month in
    select distinct date_trunc('month', to_timestamp(timestamp / 1000) at time zone 'UTC') from device_events_before
    where timestamp between extract(epoch from now() - interval '36 months') * 1000 and extract(epoch from now()) * 1000
    union select date_trunc('month', now() at time zone 'UTC')
    union select date_trunc('month', now() at time zone 'UTC') + interval '1 month'
  loop
    execute format('create table device_events_%s partition of device_events for values from (%s) to (%s)',
      to_char(month, 'YYYY_MM'), (extract(epoch from month) * 1000)::bigint,
      (extract(epoch from month + interval '1 month') * 1000)::bigint);
  end loop;
end $$;

insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, seq, late) overriding system value
select tenant, peripheral_uid, timestamp, field, before, value, seq, late from device_events_before;
select setval('device_events_seq_seq', last_value, is_called) from device_events_before_seq;
drop table device_events_before;

-- Changes that rules act on and that were written more than 31 days after their time, by the clock of the database: whoever
-- replays a log looks into the months since then, and further back only when one of these lies ahead.
create table aged_events (
  tenant uuid not null,
  peripheral_uid text not null,
  seq bigint not null,
  timestamp bigint not null,
  primary key (tenant, peripheral_uid, seq),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
);
create index aged_events_age on aged_events (timestamp);
create function note_aged_event() returns trigger language plpgsql as $$
begin
  insert into aged_events (tenant, peripheral_uid, seq, timestamp) values (new.tenant, new.peripheral_uid, new.seq, new.timestamp);
  return null;
end $$;
create trigger device_events_aged after insert on device_events for each row
  when (not new.late and new.timestamp < extract(epoch from now()) * 1000 - 2678400000) execute function note_aged_event();

-- When a rule's positions were last brought up to date, epoch ms by the clock of the database: what it has not seen was written
-- since. 0 says that nobody knows.
alter table automation_states add column replayed_at bigint not null default 0;
