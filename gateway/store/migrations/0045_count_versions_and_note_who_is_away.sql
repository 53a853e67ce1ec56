-- Counts the changes of what a record's form edits: whoever saves an older one is told, and overwrites nothing.
alter table employees add column version integer not null default 1;
alter table visitors add column version integer not null default 1;
alter table scanners add column version integer not null default 1;
alter table conference_rooms add column version integer not null default 1;
alter table modbus_tables add column version integer not null default 1;

-- Who went out by a door before the last day of the visit is expected again until it is over, and has left then. When those who
-- are out already went, nobody wrote down: since they came, at the latest.
alter table visitors add column away_at bigint;
update visitors v set away_at = checked_in_at
  where checked_in_at is not null and checked_out_at is null
    and not exists (select 1 from people_inside i
      where i.tenant = v.tenant and i.person_kind = 'visitor' and i.person_id = v.visitor_id);
