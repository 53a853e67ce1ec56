-- Counts the changes of a person's record: whoever saves an older one is told, and overwrites nothing.
alter table users add column version integer not null default 1;
