-- Every gateway remembers for half a minute who somebody is and what they may do. Whatever changes that tells all of them, with
-- its commit, whose it was, so that a right taken at one is gone at the others, too.
create function tell_of_person() returns trigger language plpgsql as $$
begin
  perform pg_notify('person_changed', old.cognito_id::text);
  return null;
end $$;

create trigger users_changed after update on users
  for each row when (old.* is distinct from new.*) execute function tell_of_person();
create trigger users_removed after delete on users for each row execute function tell_of_person();
create trigger sessions_ended after delete on sessions for each row execute function tell_of_person();
