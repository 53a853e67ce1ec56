-- Days that Taipower announced as peak days of its plans with variable peak hours, as a company entered them, a row a year: `days` as
-- texts in order, and the last day up to which every announced one is among them.
create table peak_days (
  tenant uuid not null references companies on delete cascade,
  year integer not null,
  days text[] not null,
  complete_through text,
  primary key (tenant, year)
);
create trigger peak_days_changed after insert or update or delete on peak_days
  for each row execute function tell_of_pricing();
