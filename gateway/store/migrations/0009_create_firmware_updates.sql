-- What devices say they run: one row a hub (peripheral_uid '') or a device behind it, written with the shadow that said it.
create table firmware_reports (
  tenant uuid not null,
  thing_name text not null references things on delete cascade,
  peripheral_uid text not null default '',
  firmware_version text not null,
  reported_at bigint not null,
  primary key (thing_name, peripheral_uid)
);

-- A company's firmware library; the files lie in the file store under file_key. A row without uploaded_at waits for its file.
create table firmwares (
  tenant uuid not null references companies on delete cascade,
  firmware_id text not null,
  target text not null,
  firmware_version text not null,
  notes text not null,
  size bigint not null,
  sha256 text,
  file_key text,
  requested_at bigint not null,
  uploaded_at bigint,
  by text not null,
  primary key (tenant, firmware_id)
);
create unique index firmwares_version on firmwares (tenant, target, firmware_version);

-- An update of one or many devices of a home. approved_wave: the last wave that a person let go on in spite of a pause.
create table ota_jobs (
  tenant uuid not null,
  ota_job_id text not null,
  home_id text not null,
  request_id text,
  firmware_id text not null,
  target text not null,
  firmware_version text not null,
  state text not null,
  pause text,
  wave_size integer not null,
  pause_percent integer not null,
  confirm_waves boolean not null,
  approved_wave integer not null default 1,
  by text not null,
  requested_at bigint not null,
  ended_at bigint,
  primary key (tenant, ota_job_id),
  foreign key (tenant, home_id) references homes (tenant, home_id) on delete cascade
);
create unique index ota_jobs_request on ota_jobs (tenant, request_id);
create index ota_jobs_home on ota_jobs (tenant, home_id, requested_at desc);
create index ota_jobs_open on ota_jobs (tenant, ota_job_id) where ended_at is null;

-- Each device of a job: a waiting one with started_at has its turn and waits for its hub; deadline_at is when it fails.
create table ota_updates (
  tenant uuid not null,
  ota_job_id text not null,
  thing_name text not null references things on delete cascade,
  peripheral_uid text not null default '',
  home_id text not null,
  request_id text not null unique,
  firmware_version text not null,
  from_version text,
  wave integer not null,
  state text not null,
  code smallint,
  progress smallint not null default 0,
  requested_at bigint not null,
  started_at bigint,
  restarting_at bigint,
  deadline_at bigint,
  settled_at bigint,
  primary key (tenant, ota_job_id, thing_name, peripheral_uid),
  foreign key (tenant, ota_job_id) references ota_jobs (tenant, ota_job_id) on delete cascade
);
-- A device is in one update at a time, whoever starts it.
create unique index ota_updates_open on ota_updates (thing_name, peripheral_uid) where settled_at is null;
create index ota_updates_device on ota_updates (tenant, thing_name, peripheral_uid, requested_at desc);
create index ota_updates_home on ota_updates (tenant, home_id, requested_at desc);
