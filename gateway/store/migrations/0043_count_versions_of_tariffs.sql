-- Counts the changes of a tariff: whoever saves an older one is told, and overwrites nothing.
alter table tariffs add column version integer not null default 1;
