-- Cameras that no hub carries, where each streams, and the names people gave to what infrared remotes send.
alter table peripherals
  alter column thing_name drop not null,
  add column pmac_address text;

create table cameras (
  tenant uuid not null,
  peripheral_uid text not null,
  stream_url text not null,
  user_name text,
  sealed_password text,
  primary key (tenant, peripheral_uid),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
);

create table ir_container_names (
  tenant uuid not null,
  peripheral_uid text not null,
  cont_mid text not null,
  cont_mname text not null,
  primary key (tenant, peripheral_uid, cont_mid),
  foreign key (tenant, peripheral_uid) references peripherals (tenant, peripheral_uid) on delete cascade
);
