-- By which rules of a time zone the days of meters are divided: `[from, offset]` in ms, ascending, known up to `until`, with the
-- release of the rules. Where a new release says otherwise, the days between are divided anew.
create table zone_offsets (
  time_zone text primary key,
  release text not null,
  until bigint not null,
  steps jsonb not null
);
