-- A hub or scanner that was removed, moved to another home or given another secret loses its connection at every gateway.
create function tell_of_thing() returns trigger language plpgsql as $$
begin
  perform pg_notify('thing_changed', old.thing_name);
  return null;
end $$;

create trigger things_changed after update of tenant, home_id, secret_hash on things
  for each row when ((old.tenant, old.home_id, old.secret_hash) is distinct from (new.tenant, new.home_id, new.secret_hash))
  execute function tell_of_thing();
create trigger things_removed after delete on things for each row execute function tell_of_thing();
create trigger scanners_changed after update of tenant, home_id, secret_hash on scanners
  for each row when ((old.tenant, old.home_id, old.secret_hash) is distinct from (new.tenant, new.home_id, new.secret_hash))
  execute function tell_of_thing();
create trigger scanners_removed after delete on scanners for each row execute function tell_of_thing();
