-- Contracts, plans and power factors are judged by twelve months of bills: a year that is imported is looked at as soon as it is there.
create or replace function note_insight_due() returns trigger language plpgsql as $$
begin
  insert into insight_due (tenant, home_id, reason)
  select distinct m.tenant, m.home_id, 'energy' from changed c join meters m on m.meter_id = c.meter_id
  join home_savings s on s.tenant = m.tenant and s.home_id = m.home_id and c.day <= s.day and c.day > s.day - 400;
  return null;
end $$;
