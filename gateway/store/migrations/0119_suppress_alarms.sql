-- Alarms of rules that rest on what nobody listens to: devices in maintenance, and the silence of devices whose hub is away. They are
-- raised when that is over and they still hold.
create table suppressed_alarms (
  tenant uuid not null,
  automation_id text not null,
  kind text not null check (kind in ('rule', 'ahead')),
  -- RuleAlarm in gateway/lib/rule-alarms.ts.
  alarm jsonb not null,
  primary key (tenant, automation_id, kind),
  foreign key (tenant, automation_id) references automations (tenant, automation_id) on delete cascade
);

-- Seconds that a load stays off at least, as its rule said when it was shed: the rule may be gone by then.
alter table sheddings add column min_off integer not null default 600;

-- The channels of the company that a step names, beside the people.
alter table alarm_escalations add column channels jsonb not null default '[]';
