-- Where in a status the values stand whose change is an event; the gateway fills it from its contract when it starts.
--
-- path   what events call it; its second part is * where it stands in each entry of a list
-- field  of the status, or of the list's entries
-- list   the field that holds the list, and by which field of theirs its entries are told apart; null outside of one
drop table state_fields;
create table state_fields (
  path text primary key,
  field text not null,
  list text,
  key text,
  check ((list is null) = (key is null))
);

create function device_states(known jsonb) returns table (field text, value double precision) language sql stable as $$
  select f.path, (known ->> f.field)::double precision from state_fields f
  where f.list is null and jsonb_typeof(known -> f.field) = 'number'
  union all
  select concat_ws('.', f.list, entry ->> f.key, f.field), (entry ->> f.field)::double precision
  from state_fields f cross join lateral jsonb_array_elements(
    case jsonb_typeof(known -> f.list) when 'array' then known -> f.list else '[]' end) as entry
  where f.list is not null and jsonb_typeof(entry -> f.field) = 'number'
$$;

-- Whether the last report changed a state: only the statement that stored it knows, and answers with it. Null after the first.
alter table device_status add column moved boolean;

drop trigger device_status_events on device_status;
create or replace function note_device_events() returns trigger language plpgsql as $$
begin
  -- What only measures, which is most, is done here.
  if exists (select from state_fields f
    where new.values -> coalesce(f.list, f.field) is distinct from old.values -> coalesce(f.list, f.field)) then
    insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    select new.tenant, new.peripheral_uid, new.timestamp, n.field, o.value, n.value
    from device_states(new.values) n left join device_states(old.values) o using (field)
    where n.value is distinct from o.value order by n.field;
    new.moved := found;
  end if;
  return new;
end $$;

-- Meters that are nothing else have no states, and their rows change with every reading: they are spared the call.
create trigger device_status_events before update on device_status for each row
  when (new.peripheral_type <> all (array['513', '514', '520', '521', '522', '528']) and new.values is distinct from old.values)
  execute function note_device_events();

create function note_first_states() returns trigger language plpgsql as $$
begin
  insert into device_events (tenant, peripheral_uid, timestamp, field, value)
  select new.tenant, new.peripheral_uid, new.timestamp, field, value from device_states(new.values) order by field;
  return null;
end $$;
create trigger device_status_first_states after insert on device_status for each row
  when (new.peripheral_type <> all (array['513', '514', '520', '521', '522', '528']))
  execute function note_first_states();
