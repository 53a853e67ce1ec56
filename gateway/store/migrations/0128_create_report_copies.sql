-- Reports as they were when they were closed. The text is hashed as it stands; a copy that was reopened stays, for the audit.
create table report_copies (
  copy_id uuid primary key,
  tenant uuid not null references companies on delete cascade,
  -- Null of the whole company. A home may be removed; what was closed of it stays.
  home_id text,
  kind text not null,
  period text not null,
  content text not null,
  hash text not null,
  closed_at bigint not null,
  closed_by uuid not null,
  closed_by_name text not null,
  reopened_at bigint,
  reopened_by uuid,
  check ((reopened_at is null) = (reopened_by is null))
);
create unique index report_copies_closed on report_copies (tenant, coalesce(home_id, ''), kind, period)
  where reopened_at is null;
