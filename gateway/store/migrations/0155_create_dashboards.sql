-- Dashboards that people arrange, name and share: see contract/resources/dashboard.ts.
create table dashboards (
  tenant uuid not null references companies on delete cascade,
  dashboard_id text not null,
  name text not null,
  -- Null once that person is gone, of one that others see.
  owner_id uuid references users on delete set null,
  -- Whether everybody of the company sees it, and what others may do with it.
  everyone boolean not null,
  may text not null check (may in ('view', 'edit')),
  cards jsonb not null,
  version integer not null default 1,
  primary key (tenant, dashboard_id)
);
create index dashboards_owner on dashboards (owner_id);

-- Departments that see a dashboard.
create table dashboard_departments (
  tenant uuid not null,
  dashboard_id text not null,
  department_id text not null,
  primary key (tenant, dashboard_id, department_id),
  foreign key (tenant, dashboard_id) references dashboards on delete cascade,
  foreign key (tenant, department_id) references departments on delete cascade
);
create index dashboard_departments_department on dashboard_departments (tenant, department_id);
