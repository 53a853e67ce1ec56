-- Who may pass which door, who is expected, and what scanners saw.
create table employees (
  tenant uuid not null references companies on delete cascade,
  employee_id text not null,
  employee_name text not null,
  email text not null check (email = lower(email)),
  card_number text,
  department_id text,
  active boolean not null default true,
  photo_url text,
  -- Rises when a new pass is made: older ones are no longer good.
  pass_serial integer not null default 0,
  created_at bigint not null,
  search_text text generated always as (lower(employee_name || ' ' || email || ' ' || coalesce(card_number, ''))) stored,
  primary key (tenant, employee_id),
  foreign key (tenant, department_id) references departments (tenant, department_id)
);
create unique index employees_email on employees (tenant, email);
create unique index employees_card on employees (tenant, card_number);
create index employees_name on employees (tenant, lower(employee_name), employee_id);
create index employees_department on employees (tenant, department_id) where department_id is not null;

create table visitors (
  tenant uuid not null references companies on delete cascade,
  visitor_id text not null,
  visitor_name text not null,
  company text not null,
  email text not null,
  phone text not null,
  ext text not null,
  host_employee_id text,
  purpose text not null,
  valid_from bigint not null,
  valid_until bigint not null check (valid_until > valid_from),
  checked_in_at bigint,
  checked_out_at bigint,
  revoked_at bigint,
  anonymised_at bigint,
  created_at bigint not null,
  search_text text generated always as
    (lower(visitor_name || ' ' || company || ' ' || email || ' ' || phone || ' ' || purpose)) stored,
  primary key (tenant, visitor_id),
  foreign key (tenant, host_employee_id) references employees (tenant, employee_id) on delete set null (host_employee_id)
);
create index visitors_window on visitors (tenant, valid_from desc, visitor_id desc);
create index visitors_name on visitors (tenant, lower(visitor_name), visitor_id);
create index visitors_email on visitors (tenant, email, created_at desc);
create index visitors_phone on visitors (tenant, phone, created_at desc);
create index visitors_host on visitors (tenant, host_employee_id) where host_employee_id is not null;
create index visitors_age on visitors (valid_until) where anonymised_at is null;

-- Names are unique in the whole gateway, as those of hubs: they are MQTT user names.
create table scanners (
  tenant uuid not null,
  thing_name text primary key,
  scanner_name text not null,
  home_id text not null,
  direction text not null,
  all_employees boolean not null,
  allow_visitors boolean not null,
  secret_hash bytea not null,
  online boolean not null default false,
  seen_at bigint,
  created_at bigint not null,
  unique (tenant, thing_name),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create index scanners_home on scanners (tenant, home_id);

create table scanner_employees (
  tenant uuid not null,
  thing_name text not null,
  employee_id text not null,
  primary key (tenant, thing_name, employee_id),
  foreign key (tenant, thing_name) references scanners (tenant, thing_name) on delete cascade,
  foreign key (tenant, employee_id) references employees (tenant, employee_id) on delete cascade
);
create index scanner_employees_employee on scanner_employees (tenant, employee_id);

-- As hub_enrolments, for scanners.
create table scanner_enrolments (
  thing_name text primary key references scanners on delete cascade,
  tenant uuid not null,
  home_id text not null,
  sealed_secret text not null,
  created_at bigint not null
);

-- No name and no credential stands here: people are looked up when the log is read, and forgotten with their record.
create table scan_events (
  scan_event_id bigint generated always as identity primary key,
  tenant uuid not null references companies on delete cascade,
  timestamp bigint not null,
  thing_name text not null,
  home_id text not null,
  type text not null,
  person_kind text,
  person_id text,
  allow boolean not null,
  reason text,
  movement text,
  -- What the scanner said and a digest of what it read: the same scan told twice is one.
  scanned_at bigint not null,
  credential_hash bytea not null,
  unique (tenant, thing_name, credential_hash, scanned_at)
);
create index scan_events_time on scan_events (tenant, scan_event_id desc);
create index scan_events_person on scan_events (tenant, person_kind, person_id);
create index scan_events_age on scan_events (timestamp);

-- Who is inside: by their last movement, or by the desk.
create table people_inside (
  tenant uuid not null references companies on delete cascade,
  person_kind text not null,
  person_id text not null,
  since bigint not null,
  thing_name text,
  home_id text,
  primary key (tenant, person_kind, person_id)
);
