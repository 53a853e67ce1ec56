-- When the database took a command: by its clock every gateway knows which commands are overdue, whatever its own clock says.
alter table commands add column stored_at timestamptz not null default now();
