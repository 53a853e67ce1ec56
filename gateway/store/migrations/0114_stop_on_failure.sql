-- Of what is done in order: whether the rest is left out once an action was not confirmed.
alter table scenes add column stop_on_failure boolean not null default false;
alter table automation_runs add column stop_on_failure boolean not null default false;
update automations set rule = rule || '{"StopOnFailure": false}' where not rule ? 'StopOnFailure';
