-- Reports that are mailed by themselves, and their letters: see contract/resources/report-plan.ts.
create table report_plans (
  tenant uuid not null references companies on delete cascade,
  report_plan_id text not null,
  report_plan_name text not null,
  kind text not null,
  -- HomeID[]; empty is all together.
  homes jsonb not null,
  day integer not null check (day between 1 and 28),
  -- CognitoId[].
  recipients jsonb not null,
  enabled boolean not null,
  version integer not null default 1,
  -- Since when it sends: what was due before is not sent afterwards.
  since bigint not null,
  -- When it is due next.
  next_at bigint not null,
  -- Of the letters that were written last; null before the first.
  last_period text,
  primary key (tenant, report_plan_id)
);
create unique index report_plans_name on report_plans (tenant, lower(report_plan_name));
create index report_plans_due on report_plans (next_at) where enabled;

-- A letter to a person; the key sees to it that nobody is sent two of a plan and a period.
create table report_letters (
  tenant uuid not null references companies on delete cascade,
  -- Of a plan, or `hand-` and an id where somebody sent it.
  plan_id text not null,
  period text not null,
  cognito_id uuid not null,
  -- Of the person, when it was written.
  name text not null,
  kind text not null,
  homes jsonb not null,
  state text not null check (state in ('waiting', 'sent', 'skipped', 'failed')),
  -- Why nothing was sent.
  reason text,
  due_at bigint not null,
  tries integer not null default 0,
  created_at bigint not null,
  primary key (tenant, plan_id, period, cognito_id)
);
create index report_letters_due on report_letters (due_at) where state = 'waiting';
create index report_letters_age on report_letters (created_at);
