-- Whether the last check of a draft found months that are not likely: it is then imported only by somebody who is sure.
alter table meter_imports add column implausible boolean not null default false;
