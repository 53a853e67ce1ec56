-- As employees and others have: whoever saves an older one is told, and overwrites nothing.
alter table virtual_meters add column version integer not null default 1;
