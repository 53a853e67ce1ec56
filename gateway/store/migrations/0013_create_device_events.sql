-- What happened at devices: each change of a state field, with the moment that the device gave for it. Written by the database
-- itself with the status, so that nothing acknowledged to a hub is missing here.
create table device_events (
  tenant uuid not null,
  peripheral_uid text not null,
  timestamp bigint not null,
  field text not null,
  before double precision,
  value double precision not null,
  primary key (tenant, peripheral_uid, timestamp, field),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
);
create index device_events_age on device_events (timestamp);

-- Status fields whose change is an event; the gateway fills it from its contract when it starts.
create table state_fields (field text primary key);

create function note_device_events() returns trigger language plpgsql as $$
begin
  insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
  select new.tenant, new.peripheral_uid, new.timestamp, f.field,
    (old.values ->> f.field)::double precision, (new.values ->> f.field)::double precision
  from state_fields f
  where jsonb_typeof(new.values -> f.field) = 'number' and old.values -> f.field is distinct from new.values -> f.field
    and old.values ? f.field
  on conflict do nothing;
  return null;
end $$;

-- Meters that are nothing else have no states, and their rows change with every reading: they are spared the call.
create trigger device_status_events after update on device_status for each row
  when (new.peripheral_type <> all (array['513', '514', '520', '521', '522', '528']) and new.values is distinct from old.values)
  execute function note_device_events();
