-- The second register of a device is a meter of its own, `<peripheral_uid>.return`: it is called and removed as its device is. Where
-- it stands is said of it alone (meter_facts).
create or replace function describe_new_meter() returns trigger language plpgsql as $$
begin
  select p.peripheral_name, p.peripheral_type, p.room_id, case when p.peripheral_uid = new.peripheral_uid then p.parent_meter end
  into new.peripheral_name, new.peripheral_type, new.room_id, new.parent_meter
  from peripherals p
  where p.tenant = new.tenant and p.home_id = new.home_id and p.peripheral_uid = split_part(new.peripheral_uid, '.', 1);
  return new;
end $$;

create or replace function remember_meter() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update meters set removed_at = (extract(epoch from now()) * 1000)::bigint
    where tenant = old.tenant and home_id = old.home_id
      and peripheral_uid in (old.peripheral_uid, old.peripheral_uid || '.return');
    return null;
  end if;
  update meters m set peripheral_name = new.peripheral_name, peripheral_type = new.peripheral_type, room_id = new.room_id,
    removed_at = null,
    parent_meter = case
      when m.peripheral_uid <> new.peripheral_uid then m.parent_meter
      when new.parent_meter is null and m.parent_meter is not null and not exists (
        select 1 from peripherals p where p.tenant = new.tenant and p.peripheral_uid = m.parent_meter)
      then m.parent_meter else new.parent_meter end
  where m.tenant = new.tenant and m.home_id = new.home_id
    and m.peripheral_uid in (new.peripheral_uid, new.peripheral_uid || '.return');
  return null;
end $$;
