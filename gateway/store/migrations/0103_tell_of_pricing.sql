-- Through which push service a browser is reached: the host of its endpoint, which tells nobody how to write to it. Null until a
-- browser that was there before registers again, as it does at each start of the screens.
alter table push_subscriptions add column service text;

-- Contract guards keep what a contract allows until it changes. Whatever changes that tells every gateway, with its commit, of which
-- company it was.
create function tell_of_pricing() returns trigger language plpgsql as $$
begin
  perform pg_notify('pricing_changed', coalesce(new.tenant, old.tenant)::text);
  return null;
end $$;

create trigger home_tariffs_changed after insert or update or delete on home_tariffs
  for each row execute function tell_of_pricing();
create trigger tariffs_changed after insert or update or delete on tariffs
  for each row execute function tell_of_pricing();
create trigger off_peak_days_changed after insert or update or delete on off_peak_days
  for each row execute function tell_of_pricing();
